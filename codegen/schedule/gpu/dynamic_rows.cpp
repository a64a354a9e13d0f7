#include "codegen/schedule/gpu/dynamic_rows.h"

#include <algorithm>

#include "codegen/schedule/common/axis_group.h"
#include "codegen/schedule/gpu/work_distribution.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::Axis;
using kernel::AxisKind;
using kernel::Block;
using kernel::Stage;

/// Of a stage for which the threads of a team reduce a row: its length.
std::optional<Extent> reduced(const Lowering& lowering, const Stage& stage) {
  if (stage.contraction ||
      choose_work_distribution(lowering, stage) != WorkDistribution::cooperative_reduction)
    return std::nullopt;
  return axes_of(stage, AxisKind::reduced).extent;
}

/// The one length of all rows that the block's stages reduce.
std::optional<Extent> reduced(const Lowering& lowering, const Block& block) {
  std::optional<Extent> result;
  for (const auto& child : block.children) {
    const auto* stage = std::get_if<Stage>(&child);
    if (stage == nullptr) return std::nullopt;
    const auto length = reduced(lowering, *stage);
    if (length && result && *length != *result) return std::nullopt;
    if (length) result = length;
  }
  return result;
}

}  // namespace

std::optional<Extent> dynamic_row_length(const Lowering& lowering) {
  const Block& root = lowering.kernel.root;
  std::optional<Extent> result;
  if (!root.axes.empty()) {
    result = reduced(lowering, root);
  } else if (root.children.size() == 1) {
    const auto* block = std::get_if<Block>(&root.children[0]);
    const auto* stage = std::get_if<Stage>(&root.children[0]);
    if (block != nullptr) result = reduced(lowering, *block);
    // A constant number of rows is a reduction to be split (split_reduction.h).
    if (stage != nullptr && !axes_of(*stage, AxisKind::parallel).extent.constant())
      result = reduced(lowering, *stage);
  }
  return result && !result->constant() ? result : std::nullopt;
}

std::optional<std::int64_t> most_points(const Lowering& lowering, const Extent& extent) {
  if (lowering.row && lowering.row->extent == extent) return lowering.row->most;
  return extent.constant();
}

std::int64_t least_points(const Lowering& lowering, const Extent& extent) {
  if (lowering.row && lowering.row->extent == extent) return lowering.row->least;
  return extent.constant().value_or(0);
}

}  // namespace codegen::schedule::gpu
