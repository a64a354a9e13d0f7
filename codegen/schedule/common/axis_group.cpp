#include "codegen/schedule/common/axis_group.h"

namespace codegen::schedule {

using Kind = Index::Quotient::Kind;

void AxisGroup::add(const kernel::Axis& axis) {
  axes.push_back(&axis);
  extent = extent * axis.extent;
}

AxisGroup axes_of(const kernel::Stage& stage, kernel::AxisKind kind) {
  AxisGroup result;
  for (const kernel::Axis& axis : stage.axes)
    if (axis.kind == kind) result.add(axis);
  return result;
}

void AxisGroup::bind(const Index& index, Renaming& renaming) const {
  if (extent.is(0)) {  // the loop has no trips: nothing may divide by 0, and what a point needs stays inside
    for (const kernel::Axis* axis : axes) renaming.axes[axis->id] = index;
    return;
  }
  Extent stride = 1;
  for (std::size_t i = axes.size(); i-- > 0;) {
    Index own = index;
    if (!stride.is(1)) own = kernel::quotient_index({Kind::floor, own, stride});
    if (i > 0) own = kernel::quotient_index({Kind::modulo, own, axes[i]->extent});
    renaming.axes[axes[i]->id] = own;
    stride = stride * axes[i]->extent;
  }
}

}  // namespace codegen::schedule
