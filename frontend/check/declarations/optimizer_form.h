// The form that a function must have to be an optimizer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/check/checked_module.h"

namespace frontend::check {

/// Says what the parameters of an optimizer's function are, by their names.
struct OptimizerForm {
  const ast::Name* parameter = nullptr;
  const ast::Name* derivative = nullptr;
  std::vector<const ast::Name*> memory;
  const ast::Name* step = nullptr;  ///< null if it takes no step number
  const ast::Name* norm = nullptr;  ///< null if it takes no norm
  std::vector<const ast::Parameter*> hyper;

  /// Returns whether `optimize` gives the parameter of that name its value.
  bool supplies(std::string_view name) const;
  /// Returns the hyper-parameter of that name, or null.
  const ast::Parameter* find(std::string_view name) const;
};

/// Returns nothing if the function has another form; then `why` says what is wrong, and `where` is its place.
std::optional<OptimizerForm> optimizer_form(const ast::Function& function, std::string& why, Location& where);

}  // namespace frontend::check
