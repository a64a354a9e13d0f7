#include "codegen/schedule/gpu/team_builder.h"

#include <algorithm>

#include "codegen/kernel/ir/walk.h"
#include "codegen/schedule/common/statements.h"
#include "codegen/schedule/gpu/dynamic_rows.h"
#include "codegen/schedule/gpu/explain.h"
#include "codegen/schedule/gpu/long_rows.h"
#include "codegen/schedule/gpu/split_reduction.h"
#include "codegen/schedule/gpu/thread_stage.h"
#include "codegen/schedule/ir/walk.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::Axis;
using kernel::AxisKind;
using kernel::Block;
using kernel::Stage;

bool is_of_point(const kernel::Kernel& kernel, const kernel::Buffer& buffer) {
  return buffer.depth > 0 || !kernel.root.axes.empty();
}

kernel::AxisId first_free(const Block& block) {
  kernel::AxisId next = 0;
  kernel::walk<Axis>(block, [&](const Axis& axis) { next = std::max(next, axis.id + 1); });
  return next;
}

}  // namespace

TeamBuilder::TeamBuilder(const kernel::Kernel& kernel, const GpuTarget& target, VariantPlan variant,
                         bool tf32, LoopId first_loop)
    : lowering{{kernel}, target, std::move(variant), tf32}, next_axis(first_free(kernel.root)) {
  lowering.next_loop = first_loop;
  lowering.schedule.name = kernel.name;
  lowering.schedule.buffers = kernel_buffers(kernel);
  for (const Buffer& buffer : lowering.schedule.buffers)
    if (buffer.space == Space::argument) ++lowering.schedule.arguments;
}

std::vector<Buffer> kernel_buffers(const kernel::Kernel& kernel) {
  std::vector<Buffer> result;
  for (const kernel::Buffer& buffer : kernel.buffers) {
    Space space = Space::arena;
    if (buffer.space == kernel::Buffer::Space::argument)
      space = Space::argument;
    else if (buffer.shape.empty() && is_of_point(kernel, buffer))
      space = Space::registers;
    result.push_back({buffer.name, buffer.element, buffer.shape, space, dense_layout(buffer.shape),
                      buffer.written, std::nullopt});
  }
  return result;
}

bool TeamBuilder::is_of_point(const kernel::Buffer& buffer) const {
  return gpu::is_of_point(lowering.kernel, buffer);
}

Block TeamBuilder::rows_of(const Stage& stage) {
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

Body TeamBuilder::children(const Block& block, const Renaming& outer, const Team& team) {
  const std::string why = explain_team(block, team, lowering.target, lowering.variant);
  if (has_long_rows(block, lowering.variant.row)) return in_turn(block, outer, team, why, nullptr);
  const auto row = keep_row_in_registers(lowering, block, team.threads, next_axis);
  if (!row) return in_turn(block, outer, team, why, nullptr);
  made_.insert(row->buffers.begin(), row->buffers.end());
  return in_turn(row->block, outer, team, why, &*row);
}

Body TeamBuilder::in_turn(const Block& block, const Renaming& outer, const Team& team, const std::string& why,
                          const RowInRegisters* row) {
  const bool is_long = has_long_rows(block, lowering.variant.row);
  Body body;
  const auto add_stage = [&](const Stage& stage) {
    const bool is_in_registers = row != nullptr && row->has(stage);
    body.push_back({origin(stage, explain_row(stage, lowering.schedule.buffers, why, is_in_registers))});
    append(body, is_in_registers ? schedule_row(lowering, stage, outer, team, row->share)
                                 : row_stage(stage, is_long, outer, team));
  };
  const auto add_block = [&](const Block& inner) {
    Renaming renaming = outer;
    std::vector<Loop> loops;
    for (const Axis& axis : inner.axes) loops.push_back(lowering.serial(axis, renaming));
    Body own = in_turn(inner, renaming, team, why, row);
    for (; !loops.empty(); loops.pop_back()) own = around(std::move(loops.back()), std::move(own));
    append(body, std::move(own));
  };
  for (const auto& child : block.children) std::visit(dlvm::Overloaded{add_stage, add_block}, child);
  return body;
}

Body TeamBuilder::row_stage(const Stage& stage, bool is_long, const Renaming& outer, const Team& team) {
  if (!is_long || !is_long_row(stage, lowering.variant.row))
    return schedule_for_team(lowering, stage, outer, team);
  const SplitReduction split = split_reduction(lowering, stage, long_row_chunk(stage), next_axis);
  made_.insert(split.states.begin(), split.states.end());
  Body body = schedule_for_team(lowering, split.partial_stage, outer, team);
  append(body, schedule_replicated(lowering, split.final_stage, outer, team));
  return body;
}

std::set<BufferId> TeamBuilder::locals(Body& body) const {
  std::set<BufferId> result;
  visit_buffer_accesses(body, [&](const BufferAccess& place) {
    const BufferId id = place.buffer;
    if (made_.count(id) > 0) result.insert(id);
    if (id >= lowering.kernel.buffers.size()) return;
    const kernel::Buffer& buffer = lowering.kernel.buffers[id];
    if (buffer.space == kernel::Buffer::Space::local && is_of_point(buffer)) result.insert(id);
  });
  return result;
}

void TeamBuilder::prefix(Body& body, BufferId id, const Extent& extent, const Index& place) {
  Buffer& buffer = lowering.schedule.buffers[id];
  buffer.shape.insert(buffer.shape.begin(), extent);
  buffer.layout = dense_layout(buffer.shape);
  visit_buffer_accesses(body, [&](const BufferAccess& used) {
    if (used.buffer == id) used.put_in_front(place);
  });
}

}  // namespace codegen::schedule::gpu
