// The names of dimensions: those declared, those that shapes use undeclared, and the values that they have.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dlvm/support/diagnostic.h"
#include "frontend/check/checked_module.h"
#include "frontend/support/options.h"

namespace frontend::check {

/// Enters the dimensions of every file, in this order.
class DimensionNames {
 public:
  DimensionNames(Program& program, const Options& options, dlvm::Diagnostics& diagnostics)
      : program_(program), options_(options), diagnostics_(diagnostics) {}

  /// Declares the file's dimensions, each as a free one.
  void declare(Scope& scope);
  /// Gives those that are declared with an extent its value, after those of the files that it imports.
  /// Reports cycles.
  void evaluate(Scope& scope);
  /// Declares those that the shapes of declarations name without a declaration.
  void declare_implicit(Scope& scope);
  /// Gives every file's dimensions the values that the options say.
  void apply_options();

 private:
  void evaluate_one(Scope& scope, const ast::Dimension& dimension);
  void report_cycle(Scope& scope, const std::vector<const ast::Dimension*>& stack, std::string_view again);
  /// A dimension of this file or of one that it imports; else a new one.
  std::optional<Extent> extent_of(Scope& scope, const ast::Extent& name);
  /// `Nx10` and `AxB` are names; what was meant is `N x 10` and `A x B`.
  void report_joined(Scope& scope, const ast::Extent& name);
  std::optional<std::int64_t> override_of(const Scope& scope, const std::string& name) const;

  Program& program_;
  const Options& options_;
  dlvm::Diagnostics& diagnostics_;
  std::set<const Scope*> evaluated_;
};

}  // namespace frontend::check
