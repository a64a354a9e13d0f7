#pragma once

#include <map>

#include "codegen/schedule/common/axis_group.h"
#include "codegen/schedule/common/statements.h"

namespace codegen::schedule {

/// Returns the operand's access where it is just an element of a buffer, at a place that no loaded value
/// decides; else null.
const Access* plain_access(const kernel::Stage& stage, kernel::ScalarId operand);

/// Builds the parts of a contraction's loop nest that are the same for every target: loops, and the stage's
/// scalars wherever a tile needs them (operands in panels, the epilogue over the finished tile).
struct ContractionBuilder {
  ContractionBuilder(Lowering& lowering, const kernel::Stage& stage, const Renaming& outer)
      : lowering(lowering), stage(stage), outer(outer), type(stage.reduction->types[0]) {}

  Loop open(const char* name, LoopKind kind, Extent extent, std::int64_t step = 1);

  /// The values of the stage's scalars at one place of the nest.
  using Values = std::map<kernel::ScalarId, ValueId>;
  /// The scalar's value here, with all that it needs, once each.
  ValueId need(kernel::ScalarId id, Renaming& renaming, Values& known, Body& body);
  ValueId let(Scalar scalar, Body& body);
  /// The epilogue and the stores, where the sum is in `tile`; `renaming` has the place of the element.
  void finish(const Access& tile, Renaming& renaming, Body& body);

  /// Returns `plain_access` of the operand where its buffer has that element type, else null.
  const Access* plain(kernel::ScalarId operand, ElementType element) const;

  Lowering& lowering;
  const kernel::Stage& stage;
  Renaming outer;    ///< binds the axes of the loops around
  ElementType type;  ///< of the sums

 private:
  const Scalar& scalar(kernel::ScalarId id) const {
    return id < stage.body.size() ? stage.body[id] : stage.epilogue[id - stage.body.size()];
  }
};

}  // namespace codegen::schedule
