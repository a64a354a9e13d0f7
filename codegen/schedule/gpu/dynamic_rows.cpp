#include "codegen/schedule/gpu/dynamic_rows.h"

#include <algorithm>

#include "codegen/kernel/ir/walk.h"
#include "codegen/schedule/common/axis_group.h"
#include "codegen/schedule/gpu/work_distribution.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::Axis;
using kernel::AxisKind;
using kernel::Block;
using kernel::Stage;

/// Returns the length of the row that the threads of a team reduce for the stage, if they do.
std::optional<Extent> reduced(const Stage& stage, Buffers buffers) {
  if (stage.contraction || stage.sorting ||
      choose_work_distribution(stage, buffers) != WorkDistribution::cooperative_reduction)
    return std::nullopt;
  return axes_of(stage, AxisKind::reduced).extent;
}

/// Returns the one length of all rows that the block's stages reduce.
std::optional<Extent> reduced(const Block& block, Buffers buffers) {
  std::optional<Extent> result;
  for (const auto& child : block.children) {
    const auto* stage = std::get_if<Stage>(&child);
    if (stage == nullptr) return std::nullopt;
    const auto length = reduced(*stage, buffers);
    if (length && result && *length != *result) return std::nullopt;
    if (length) result = length;
  }
  return result;
}

Extent point_count(const Stage& stage) {
  Extent all = 1;
  for (const Axis& axis : stage.axes) all = all * axis.extent;
  return stage.sorting ? all * stage.sorting->extent : all;
}

}  // namespace

std::optional<Extent> dynamic_row_length(const kernel::Kernel& kernel, Buffers buffers) {
  const Block& root = kernel.root;
  std::optional<Extent> result;
  if (!root.axes.empty()) {
    result = reduced(root, buffers);
  } else if (root.children.size() == 1) {
    const auto* block = std::get_if<Block>(&root.children[0]);
    const auto* stage = std::get_if<Stage>(&root.children[0]);
    if (block != nullptr) result = reduced(*block, buffers);
    // A constant number of rows is a reduction to be split (split_reduction.h).
    if (stage != nullptr && !axes_of(*stage, AxisKind::parallel).extent.constant())
      result = reduced(*stage, buffers);
  }
  return result && !result->constant() ? result : std::nullopt;
}

std::optional<std::int64_t> max_points(const std::optional<DynamicRowLength>& row, const Extent& extent) {
  return row && row->extent == extent ? row->upper_bound : extent.constant();
}

std::int64_t min_points(const std::optional<DynamicRowLength>& row, const Extent& extent) {
  return row && row->extent == extent ? row->lower_bound : extent.constant().value_or(0);
}

std::optional<std::int64_t> max_points(const std::optional<DynamicRowLength>& row, const Block& block) {
  std::optional<std::int64_t> largest = 1;
  kernel::walk<Stage>(block, [&](const Stage& stage) {
    const auto points = max_points(row, point_count(stage));
    largest = largest && points ? std::optional(std::max(*largest, *points)) : std::nullopt;
  });
  return largest;
}

std::int64_t min_points(const std::optional<DynamicRowLength>& row, const Block& block) {
  std::int64_t largest = 1;
  kernel::walk<Stage>(
      block, [&](const Stage& stage) { largest = std::max(largest, min_points(row, point_count(stage))); });
  return largest;
}

}  // namespace codegen::schedule::gpu
