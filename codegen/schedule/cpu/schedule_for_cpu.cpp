#include "codegen/schedule/cpu/schedule_for_cpu.h"

#include <algorithm>

#include "codegen/kernel/ir/walk.h"
#include "codegen/schedule/common/split_accumulation.h"
#include "codegen/schedule/common/statements.h"
#include "codegen/schedule/cpu/cores.h"
#include "codegen/schedule/cpu/row_tiles.h"
#include "codegen/schedule/cpu/schedule_stage.h"

namespace codegen::schedule::cpu {
namespace {

/// Returns the block's axes as core loops, its local buffers, its children in order.
Body lower(CpuLowering& lowering, const kernel::Block& block, std::uint32_t depth, const Renaming& outer) {
  if (const auto rows = row_axis(lowering, block))
    return schedule_row_tiles(lowering, block, depth, *rows, outer);
  Renaming renaming = outer;
  std::vector<Loop> loops;
  for (const kernel::Axis& axis : block.axes) loops.push_back(lowering.over_cores(axis, renaming));
  Body body;
  const std::set<BufferId> accessed = accessed_buffers(block);
  for (BufferId id = 0; id < lowering.kernel.buffers.size(); ++id) {
    const kernel::Buffer& buffer = lowering.kernel.buffers[id];
    const bool is_own = buffer.depth == depth && accessed.contains(id);
    if (buffer.space == kernel::Buffer::Space::local && is_own) body.push_back({Allocate{id}});
  }
  const auto ahead = choose_rows_ahead(lowering, block);
  const auto* fetching = ahead ? &block.children[ahead->stage] : nullptr;
  for (const auto& child : block.children) {
    const dlvm::Overloaded lower_child{
        [&](const kernel::Block& inner) { return lower(lowering, inner, depth + 1, renaming); },
        [&](const kernel::Stage& stage) {
          return schedule_stage(lowering, stage, renaming, &child == fetching ? &*ahead : nullptr);
        }};
    append(body, std::visit(lower_child, child));
  }
  return nested(std::move(loops), std::move(body));
}

/// Returns the guards under which all products of the kernel have few rows, where a variant for these
/// differs.
std::vector<Guard> small_m_guards(const CpuLowering& lowering) {
  std::vector<Guard> guards;
  kernel::walk<kernel::Block>(lowering.kernel.root, [&](const kernel::Block& block) {
    if (const auto rows = small_m_extent(lowering, block)) guards.push_back({*rows, 0, small_m_rows + 1});
  });
  kernel::walk<kernel::Stage>(lowering.kernel.root, [&](const kernel::Stage& stage) {
    if (const auto rows = small_m_extent(stage, lowering.schedule.buffers, lowering.target))
      guards.push_back({*rows, 0, small_m_rows + 1});
  });
  return guards;
}

/// Returns whether all stages of the kernel that accumulate do so over tiles of rows.
bool accumulates_tiles(const kernel::Kernel& kernel, const CpuTarget& target) {
  CpuLowering lowering{{kernel}, target};
  lowering.schedule.buffers = buffers_of(kernel);
  bool all = true;
  kernel::walk<kernel::Block>(kernel.root, [&](const kernel::Block& block) {
    all = all && (!accumulates(block) || row_axis(lowering, block));
  });
  return all;
}

}  // namespace

std::vector<Buffer> buffers_of(const kernel::Kernel& kernel) {
  std::vector<Buffer> buffers;
  for (const kernel::Buffer& buffer : kernel.buffers) {
    const bool is_argument = buffer.space == kernel::Buffer::Space::argument;
    buffers.push_back({buffer.name, buffer.element, buffer.shape,
                       is_argument ? Space::argument : Space::panel, dense_layout(buffer.shape),
                       buffer.written, std::nullopt});
  }
  return buffers;
}

Schedule schedule_for_cpu(const kernel::Kernel& kernel, const CpuTarget& target) {
  if (!accumulates_tiles(kernel, target)) return schedule_for_cpu(split_accumulation(kernel), target);
  CpuLowering lowering{{kernel}, target};
  lowering.schedule.name = kernel.name;
  lowering.schedule.buffers = buffers_of(kernel);
  lowering.schedule.arguments = static_cast<std::uint32_t>(
      std::ranges::count(kernel.buffers, kernel::Buffer::Space::argument, &kernel::Buffer::space));
  const auto add_variant = [&](std::vector<Guard> guards, bool small_m) {
    lowering.small_m = small_m;
    lowering.schedule.variants.push_back({std::move(guards), lower(lowering, kernel.root, 0, {})});
  };
  std::vector<Guard> few = small_m_guards(lowering);
  if (!kernel.guards.empty()) {
    add_variant(kernel.guards, !few.empty() && few == kernel.guards);
    lowering.schedule.variants.push_back({{}, {}});
    distribute_over_cores(lowering);
    return std::move(lowering.schedule);
  }
  if (!few.empty()) add_variant(std::move(few), true);
  add_variant({}, false);
  distribute_over_cores(lowering);
  return std::move(lowering.schedule);
}

}  // namespace codegen::schedule::cpu
