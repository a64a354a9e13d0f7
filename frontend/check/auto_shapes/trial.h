// What the checker assumes, and what it notes, while it tries shapes for the params that are declared `auto`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "dlvm/support/diagnostic.h"
#include "frontend/check/auto_shapes/equations.h"
#include "frontend/check/checked_module.h"

namespace frontend::check {

/// What an attempt met that cannot be checked yet.
struct Unknowns {
  std::vector<Declaration*> params;   ///< params whose shapes have not been found
  std::vector<Declaration*> waiting;  ///< values that depend on such params

  bool empty() const { return params.empty() && waiting.empty(); }
  void add(const Unknowns& others);
  void add_param(Declaration& param);
};

/// A place that names a param.
struct ShapeUse {
  Declaration* param = nullptr;
  Location location;
};

/// A trial is a check of some declarations for assumed shapes of params, which is taken back afterwards.
struct Trial {
  std::set<const Declaration*> assumed;  ///< the `type` of each is the one that is assumed
  UnknownExtents unknowns;               ///< the extents of these types
  std::optional<Location> only;          ///< at all other places the params have no value

  std::vector<ShapeEquation> equations;
  std::vector<ShapeUse> uses;
  /// Where operands are stretched: the place of the operator, and that of the operand.
  std::set<std::array<std::uint32_t, 4>> stretched;
  dlvm::Diagnostics messages;
  std::size_t attempts = 0;

  // What the trial has completed, and has to be taken back.
  std::vector<Declaration*> declarations;
  std::vector<Instance*> instances;
  std::vector<Function*> functions;
  std::vector<std::pair<Instance*, std::size_t>> gradients;  ///< with the number of requirements before
};

/// What a trial has found.
struct TrialOutcome {
  std::vector<ShapeEquation> equations;
  std::vector<ShapeUse> uses;
  std::vector<Declaration*> missing;  ///< params that were met without an assumption
  dlvm::Diagnostics messages;
  std::size_t attempts = 0;   ///< the number of checks of one body
  std::size_t stretched = 0;  ///< the number of operands that are stretched
  bool silent = false;  ///< a mistake that has been reported elsewhere kept a declaration from being checked
};

}  // namespace frontend::check
