// Reports the derivatives that gradients inside expressions lack.
#pragma once

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "dlvm/differentiate/paths.h"
#include "dlvm/support/diagnostic.h"
#include "frontend/derivatives/missing.h"

namespace frontend::derivatives {

/// Gradients of expressions inside functions are checked for each function that lowering makes; the message
/// of one place is printed once.
class ExpressionGradients {
 public:
  explicit ExpressionGradients(dlvm::Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  /// Reports the derivatives that the declaration lacks. `is_nested` says that it is of an expression in
  /// which there are gradients.
  void report(const dlvm::GradientDeclaration& declaration, std::vector<dlvm::MissingDerivative> missing,
              bool is_nested);

  /// Differentiation warns of a derivative that turns out to be zero, once for all functions with the place.
  void mark(dlvm::GradientDeclaration& declaration);

 private:
  using Place = std::tuple<const dlvm::Source*, std::uint32_t, std::uint32_t, std::string>;

  /// Returns the place of a message about a name; without one, that of any derivative which is zero.
  static Place place_of(const dlvm::GradientDeclaration& declaration, const std::string& name);
  void report(const dlvm::GradientDeclaration& declaration, const Group& group, const std::string& name,
              bool is_field, bool is_nested);

  dlvm::Diagnostics& diagnostics_;
  std::set<Place> seen_;
};

}  // namespace frontend::derivatives
