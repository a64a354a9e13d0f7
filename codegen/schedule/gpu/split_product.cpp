#include "codegen/schedule/gpu/split_product.h"

#include "codegen/schedule/common/axis_group.h"
#include "codegen/schedule/gpu/split_reduction.h"

namespace codegen::schedule::gpu {

using kernel::Axis;
using kernel::AxisKind;
using kernel::Stage;

SplitProduct split_product(Lowering& lowering, const Stage& stage, std::int64_t parts,
                           kernel::AxisId& next_axis) {
  SplitProduct split;
  split.parts = parts;
  const AxisGroup points = axes_of(stage, AxisKind::parallel), summed = axes_of(stage, AxisKind::reduced);
  const std::int64_t unit = part_unit * split.parts;
  split.chunk = Extent::floor_divide(summed.extent + Extent(unit - 1), Extent(unit)) * part_unit;
  const Axis part{next_axis++, "part", split.parts, AxisKind::reduced};
  const ElementType type = stage.reduction->types[0];
  Access access{0, {variable(part.id)}};
  Shape shape{split.parts};
  for (const Axis* axis : points.axes) {
    shape.push_back(axis->extent);
    access.indices.push_back(variable(axis->id));
  }
  split.partial = lowering.add_buffer(
      {stage.name + ".partial", type, shape, Space::arena, dense_layout(shape), false, std::nullopt});
  access.buffer = split.partial;
  split.final_stage = reduce_partials(stage, part, {access});
  return split;
}

}  // namespace codegen::schedule::gpu
