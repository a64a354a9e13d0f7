#pragma once

#include <optional>
#include <vector>

#include "frontend/check/body_context.h"

namespace frontend::check {

/// The results of the function that is checked: the types declared, or those of its first `return`.
class Results {
 public:
  explicit Results(BodyContext& context);

  /// Returns the element type that numbers in result `i` probably want.
  Hint hint(std::size_t i) const;
  /// Gives the values of a `return` the types of the results. Returns nothing after an error.
  std::optional<std::vector<Node*>> take(std::vector<Node*> values, Location location);
  /// Returns the types, once the body is finished.
  const std::vector<Type>& types() const { return types_; }
  std::vector<Type>& types() { return types_; }

 private:
  const ast::Type* declared(std::size_t i) const;
  Node* fit(Node* value, std::size_t i);
  Node* fit_first(Node* value, std::size_t i);
  Node* fit_declared(Node* value, std::size_t i);

  BodyContext& context_;
  const ast::Function& syntax_;
  std::vector<Type> types_;
  Location first_;  ///< the first `return` that was checked
};

/// Returns the types of the results that the function declares, as far as they follow from its signature;
/// nothing where they do not.
std::optional<std::vector<Type>> declared_results(BodyContext& context);

}  // namespace frontend::check
