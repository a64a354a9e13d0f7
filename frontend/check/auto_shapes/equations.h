// Equations between extents, some of which are unknown.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "dlvm/ir/function.h"
#include "frontend/check/checked_module.h"

namespace frontend::check {

/// What has to hold between two extents, and the place that asks for it.
struct ShapeEquation {
  Extent left, right;
  dlvm::Requirement::Relation relation = dlvm::Requirement::Relation::equal;
  Location location;
};

/// The names of the dimensions that stand for unknown extents.
using UnknownExtents = std::set<std::string, std::less<>>;

/// Two equations that ask for different values of one extent. Without a first one the second alone has no
/// solution.
struct ShapeConflict {
  std::optional<Location> first;
  Location second;
  std::string unknown;
  Extent first_value, second_value;
};

/// The solution of equations by elimination: what each unknown extent is, as far as that follows.
struct ShapeSolution {
  Extent::Substitution values;
  UnknownExtents restricted;  ///< unknown extents in equations that have no solution in closed form
  std::size_t fixed = 0;      ///< equations without an unknown extent, which free dimensions have to fulfil
  std::optional<ShapeConflict> conflict;
};

ShapeSolution solve(const std::vector<ShapeEquation>& equations, const UnknownExtents& unknowns);

}  // namespace frontend::check
