#pragma once

#include <map>

#include "codegen/schedule/common/axis_group.h"
#include "codegen/schedule/common/statements.h"

namespace codegen::schedule {

/// What the lowerings of a contraction to tiles share, whatever the target: loops, and the stage's scalars
/// wherever a tile needs them (operands in panels, the epilogue over the finished tile).
class ContractionNest {
 protected:
  ContractionNest(Lowering& lowering, const kernel::Stage& stage, const Renaming& outer)
      : lowering_(lowering), stage_(stage), outer_(outer), type_(stage.reduction->types[0]) {}

  Loop open(const char* name, LoopKind kind, Extent extent, std::int64_t step = 1);

  /// The values of the stage's scalars at one place of the nest.
  using Values = std::map<kernel::ScalarId, ValueId>;
  /// The scalar's value here, with all that it needs, once each.
  ValueId need(kernel::ScalarId id, Renaming& renaming, Values& known, Body& body);
  ValueId let(Scalar scalar, Body& body);
  /// The epilogue and the stores, where the sum is in `tile`; `renaming` has the place of the element.
  void finish(const Access& tile, Renaming& renaming, Body& body);

  /// The operand where it is just an element of a buffer of that type, at a place that no loaded value
  /// decides.
  const Access* plain(kernel::ScalarId operand, ElementType type) const;

  Lowering& lowering_;
  const kernel::Stage& stage_;
  Renaming outer_;
  ElementType type_;  ///< of the sums

 private:
  const Scalar& scalar(kernel::ScalarId id) const {
    return id < stage_.body.size() ? stage_.body[id] : stage_.epilogue[id - stage_.body.size()];
  }
};

}  // namespace codegen::schedule
