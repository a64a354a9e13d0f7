#include "codegen/schedule/gpu/team_nest.h"

#include <algorithm>

#include "codegen/kernel/ir/walk.h"
#include "codegen/schedule/common/statements.h"
#include "codegen/schedule/gpu/chip.h"
#include "codegen/schedule/gpu/dynamic_rows.h"
#include "codegen/schedule/gpu/long_rows.h"
#include "codegen/schedule/gpu/split_reduction.h"
#include "codegen/schedule/ir/walk.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::Axis;
using kernel::AxisKind;
using kernel::Block;
using kernel::Stage;

/// A row's extent at most: of the longest stage, where that is known.
std::optional<std::int64_t> longest(const Lowering& lowering, const Block& block) {
  std::int64_t result = 1;
  for (const auto& child : block.children) {
    std::optional<std::int64_t> extent;
    if (const auto* inner = std::get_if<Block>(&child)) {
      extent = longest(lowering, *inner);
    } else {
      Extent all = 1;
      for (const Axis& axis : std::get<Stage>(child).axes) all = all * axis.extent;
      extent = most_points(lowering, all);
    }
    if (!extent) return std::nullopt;
    result = std::max(result, *extent);
  }
  return result;
}

kernel::AxisId first_free(const Block& block) {
  kernel::AxisId next = 0;
  kernel::walk<Axis>(block, [&](const Axis& axis) { next = std::max(next, axis.id + 1); });
  return next;
}

}  // namespace

TeamNest::TeamNest(const kernel::Kernel& kernel, const Chip& chip, LoopId first_loop)
    : lowering_{kernel, nullptr, {}}, next_axis_(first_free(kernel.root)) {
  lowering_.chip = &chip;
  lowering_.next_loop = first_loop;
  lowering_.schedule.name = kernel.name;
  add_buffers();
}

/// Scalars of one point lie in every thread's registers; where the others lie, the schedule decides.
void TeamNest::add_buffers() {
  for (const kernel::Buffer& buffer : lowering_.kernel.buffers) {
    Space space = Space::arena;
    if (buffer.space == kernel::Buffer::Space::argument) {
      space = Space::argument;
      ++lowering_.schedule.arguments;
    } else if (buffer.shape.empty() && is_of_point(buffer)) {
      space = Space::registers;
    }
    lowering_.schedule.buffers.push_back({buffer.name, buffer.element, buffer.shape, space,
                                          dense_layout(buffer.shape), buffer.written, std::nullopt});
  }
}

bool TeamNest::is_of_point(const kernel::Buffer& buffer) const {
  return buffer.depth > 0 || !lowering_.kernel.root.axes.empty();
}

Team TeamNest::team_of(const Block& block) const {
  Extent rows = 1;
  for (const Axis& axis : block.axes) rows = rows * axis.extent;
  const auto extent = longest(lowering_, block);
  return {extent && *extent <= short_row && !rows.is(1) ? 32 : block_threads_of_team};
}

Block TeamNest::rows_of(const Stage& stage) {
  Block rows;
  Stage row = stage;
  std::erase_if(row.axes, [&](const Axis& axis) {
    const bool outer = axis.kind == AxisKind::parallel;
    if (outer) rows.axes.push_back(axis);
    return outer;
  });
  rows.children.push_back(std::move(row));
  return rows;
}

Body TeamNest::children(const Block& block, const Renaming& outer, const Team& team) {
  if (has_long_rows(lowering_, block)) return in_turn(block, outer, team, nullptr);
  const auto row = keep_row_in_registers(lowering_, block, team.threads, next_axis_);
  if (!row) return in_turn(block, outer, team, nullptr);
  made_.insert(row->buffers.begin(), row->buffers.end());
  return in_turn(row->block, outer, team, &*row);
}

Body TeamNest::in_turn(const Block& block, const Renaming& outer, const Team& team,
                       const RowInRegisters* row) {
  const bool is_long = has_long_rows(lowering_, block);
  Body body;
  for (const auto& child : block.children) {
    if (const auto* stage = std::get_if<Stage>(&child)) {
      body.push_back({origin(*stage)});
      append(body, row != nullptr && row->has(*stage) ? lower_row(lowering_, *stage, outer, team, row->share)
                                                      : row_stage(*stage, is_long, outer, team));
      continue;
    }
    const Block& inner = std::get<Block>(child);
    Renaming renaming = outer;
    std::vector<Loop> loops;
    for (const Axis& axis : inner.axes) loops.push_back(lowering_.serial(axis, renaming));
    Body own = in_turn(inner, renaming, team, row);
    for (; !loops.empty(); loops.pop_back()) own = around(std::move(loops.back()), std::move(own));
    append(body, std::move(own));
  }
  return body;
}

Body TeamNest::row_stage(const Stage& stage, bool is_long, const Renaming& outer, const Team& team) {
  if (!is_long || !is_long_row(lowering_, stage)) return lower_for_team(lowering_, stage, outer, team);
  const SplitReduction split = split_long_row(lowering_, stage, next_axis_);
  made_.insert(split.partials.begin(), split.partials.end());
  Body body = lower_for_team(lowering_, split.chunks, outer, team);
  append(body, lower_alike(lowering_, split.rest, outer, team));
  return body;
}

std::set<BufferId> TeamNest::locals(Body& body) const {
  std::set<BufferId> result;
  visit_places(body, [&](const Place& place) {
    const BufferId id = place.buffer;
    if (made_.count(id) > 0) result.insert(id);
    if (id >= lowering_.kernel.buffers.size()) return;
    const kernel::Buffer& buffer = lowering_.kernel.buffers[id];
    if (buffer.space == kernel::Buffer::Space::local && is_of_point(buffer)) result.insert(id);
  });
  return result;
}

void TeamNest::prefix(Body& body, BufferId id, const Extent& extent, const Index& place) {
  Buffer& buffer = lowering_.schedule.buffers[id];
  buffer.shape.insert(buffer.shape.begin(), extent);
  buffer.layout = dense_layout(buffer.shape);
  visit_places(body, [&](const Place& used) {
    if (used.buffer == id) used.put_in_front(place);
  });
}

}  // namespace codegen::schedule::gpu
