#include "codegen/schedule/gpu/long_rows.h"

#include <algorithm>

#include "codegen/kernel/ir/walk.h"
#include "codegen/schedule/gpu/split_reduction.h"

namespace codegen::schedule::gpu {

using kernel::Axis;
using kernel::Block;
using kernel::Stage;

bool has_long_rows(const Block& block, const std::optional<DynamicRowLength>& row) {
  bool any = false;
  for (const auto& child : block.children) {
    const auto* stage = std::get_if<Stage>(&child);
    if (stage == nullptr || stage->contraction || runs_in_order(*stage)) return false;
    any = any || is_long_row(*stage, row);
  }
  return any && !block.axes.empty();
}

Extent row_count(const Block& block) {
  Extent rows = 1;
  for (const Axis& axis : block.axes) rows = rows * axis.extent;
  return rows;
}

std::set<BufferId> locals_of(const Block& block, const kernel::Kernel& kernel) {
  std::set<BufferId> result;
  for (const auto& child : block.children) {
    Stage stage = std::get<Stage>(child);
    visit_accesses(stage, [&](const Access& access, const std::vector<Bound>&, bool) {
      const kernel::Buffer& buffer = kernel.buffers[access.buffer];
      const bool is_whole = kernel.root.axes.empty() && buffer.depth == 0;
      if (buffer.space == kernel::Buffer::Space::local && !is_whole) result.insert(access.buffer);
    });
  }
  return result;
}

Stage distribute_to_grid(const Stage& stage, const Block& block, const std::set<BufferId>& locals) {
  Stage result = stage;
  result.axes.insert(result.axes.begin(), block.axes.begin(), block.axes.end());
  std::vector<Index> row;
  for (const Axis& axis : block.axes) row.push_back(variable(axis.id));
  visit_accesses(result, [&](Access& access, const std::vector<Bound>&, bool) {
    if (locals.count(access.buffer) > 0)
      access.indices.insert(access.indices.begin(), row.begin(), row.end());
  });
  return result;
}

Stage row_of(const Stage& spread_stage, const Block& block) {
  Stage row = spread_stage;
  std::erase_if(row.axes, [&](const Axis& axis) {
    return std::any_of(block.axes.begin(), block.axes.end(),
                       [&](const Axis& outer) { return outer.id == axis.id; });
  });
  return row;
}

}  // namespace codegen::schedule::gpu
