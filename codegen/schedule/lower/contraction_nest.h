#pragma once

#include <map>

#include "codegen/schedule/lower/axis_group.h"
#include "codegen/schedule/lower/split_product.h"
#include "codegen/schedule/lower/statements.h"

namespace codegen::schedule {

/// What the lowerings of a contraction to tiles share, whatever the target: loops, and the stage's scalars
/// wherever a tile needs them (operands in panels, the epilogue over the finished tile).
class ContractionNest {
 protected:
  ContractionNest(Lowering& lowering, const kernel::Stage& stage, const Renaming& outer,
                  const SplitProduct* split = nullptr)
      : lowering_(lowering), stage_(stage), outer_(outer), type_(stage.reduction->types[0]), split_(split) {
    if (split_ != nullptr) part_ = open("part", LoopKind::block, split_->parts);
  }

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

  /// A loop over the summed points, and the first of them in a trip; of a part those of the part.
  Loop open_k(const AxisGroup& k, std::int64_t step);
  Index first_k(const Loop& loop) const;
  /// The product's parts as the outermost loop around its grid; itself where it is not split.
  Body around_parts(Body grid);

  Lowering& lowering_;
  const kernel::Stage& stage_;
  Renaming outer_;
  ElementType type_;  ///< of the sums
  /// Where set, a part of the sums is stored to its buffer in place of epilogue and stores.
  const SplitProduct* split_ = nullptr;
  Loop part_;  ///< of a split product

 private:
  const Scalar& scalar(kernel::ScalarId id) const {
    return id < stage_.body.size() ? stage_.body[id] : stage_.epilogue[id - stage_.body.size()];
  }
};

}  // namespace codegen::schedule
