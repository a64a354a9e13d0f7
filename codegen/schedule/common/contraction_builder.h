#pragma once

#include <map>
#include <span>

#include "codegen/schedule/common/axis_group.h"
#include "codegen/schedule/common/statements.h"

namespace codegen::schedule {

/// Returns the operand's access if it is just an element of a buffer, at a position that depends on no loaded
/// value; otherwise null.
const Access* plain_access(const kernel::Stage& stage, kernel::ScalarId operand);

/// Builds the parts of a contraction's loop nest that are the same for every target: loops, and the
/// evaluation of the stage's scalars for operands in panels and for the epilogue of a finished tile.
struct ContractionBuilder {
  ContractionBuilder(Lowering& lowering, const kernel::Stage& stage, const Renaming& outer)
      : lowering(lowering), stage(stage), outer(outer), type(stage.reduction->types[0]) {}

  /// Returns a loop with a fresh variable and no body.
  Loop open(const char* name, LoopKind kind, Extent extent, std::int64_t step = 1);

  /// The values of the stage's scalars at one position in the nest.
  using Values = std::map<kernel::ScalarId, ValueId>;
  /// Appends the evaluation of the scalar to `body`, with everything that it depends on, unless `known` has
  /// it, and returns its value.
  ValueId need(kernel::ScalarId id, Renaming& renaming, Values& known, Body& body);
  /// Appends the computation of the scalar to `body` and returns its value.
  ValueId let(Scalar scalar, Body& body);
  /// Returns statements that add the element `sum` to the element `total`.
  Body add(Access sum, Access total);
  /// Appends the epilogue and the stores to `body` for the element whose sum is in `tile`. `renaming` has the
  /// element's position.
  void finish(const Access& tile, Renaming& renaming, Body& body) {
    finish(std::span(&tile, 1), renaming, body);
  }
  /// Appends the same where the components of the reduction's state are in `states`.
  void finish(std::span<const Access> states, Renaming& renaming, Body& body);

  /// Returns `plain_access` of the operand if its buffer has that element type, otherwise null.
  const Access* plain(kernel::ScalarId operand, ElementType element) const;

  Lowering& lowering;
  const kernel::Stage& stage;
  Renaming outer;    ///< binds the axes of the loops around
  ElementType type;  ///< the type of the sums
  /// While these are set, `need` loads and `finish` stores only where they hold.
  std::vector<Bound> within;

 private:
  const Scalar& scalar(kernel::ScalarId id) const {
    return id < stage.body.size() ? stage.body[id] : stage.epilogue[id - stage.body.size()];
  }
};

}  // namespace codegen::schedule
