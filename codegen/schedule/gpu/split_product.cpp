#include "codegen/schedule/gpu/split_product.h"

#include <algorithm>

#include "codegen/schedule/common/axis_group.h"
#include "codegen/schedule/gpu/chip.h"
#include "codegen/schedule/gpu/small_product.h"
#include "codegen/schedule/gpu/split_reduction.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::Axis;
using kernel::AxisKind;
using kernel::Stage;

/// Elements of a result that are a block's, about; blocks that keep a chip busy; parts at most.
constexpr std::int64_t tile = 128 * 64, enough_blocks = 256, most_parts = 32;
constexpr std::int64_t depth = 64;  ///< in summed points; every panel's divides it

/// How many parts the stage is split into; 1: it is not.
std::int64_t parts_of(const Stage& stage) {
  const auto results = axes_of(stage, AxisKind::parallel).extent.constant(),
             length = axes_of(stage, AxisKind::reduced).extent.constant();
  if (!results || *results == 0 || (length && (*length <= whole_chain || is_small_product(stage)))) return 1;
  const std::int64_t parts = std::min(most_parts, enough_blocks / ((*results + tile - 1) / tile));
  return std::clamp<std::int64_t>(parts, 1, length ? (*length + depth - 1) / depth : most_parts);
}

}  // namespace

std::optional<Guard> whole_product(const Stage& stage) {
  const Extent summed = axes_of(stage, AxisKind::reduced).extent;
  if (parts_of(stage) == 1 || summed.constant()) return std::nullopt;
  return Guard{summed, 0, whole_chain + 1};
}

std::optional<SplitProduct> split_product(Lowering& lowering, const Stage& stage, kernel::AxisId& next_axis) {
  SplitProduct split;
  split.parts = parts_of(stage);
  if (split.parts == 1) return std::nullopt;
  const AxisGroup points = axes_of(stage, AxisKind::parallel), summed = axes_of(stage, AxisKind::reduced);
  const std::int64_t unit = depth * split.parts;
  split.chunk = Extent::floor_divide(summed.extent + Extent(unit - 1), Extent(unit)) * depth;
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
  split.rest = reduce_partials(stage, part, {access});
  return split;
}

}  // namespace codegen::schedule::gpu
