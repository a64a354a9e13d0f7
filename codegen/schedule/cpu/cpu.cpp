#include "codegen/schedule/cpu/cpu.h"

#include <algorithm>

#include "codegen/kernel/ir/walk.h"
#include "codegen/schedule/common/statements.h"
#include "codegen/schedule/cpu/lower_stage.h"

namespace codegen::schedule::cpu {
namespace {

Space space_of(const kernel::Buffer& buffer) {
  return buffer.space == kernel::Buffer::Space::argument ? Space::argument : Space::panel;
}

/// The block's axes as serial loops, its local buffers, its children in order.
Body lower(Lowering& lowering, const kernel::Block& block, std::uint32_t depth, const Renaming& outer) {
  Renaming renaming = outer;
  std::vector<Loop> loops;
  for (const kernel::Axis& axis : block.axes) loops.push_back(lowering.serial(axis, renaming));
  Body body;
  for (BufferId id = 0; id < lowering.kernel.buffers.size(); ++id) {
    const kernel::Buffer& buffer = lowering.kernel.buffers[id];
    if (buffer.space == kernel::Buffer::Space::local && buffer.depth == depth) body.push_back({Allocate{id}});
  }
  for (const auto& child : block.children) {
    const auto* stage = std::get_if<kernel::Stage>(&child);
    if (stage != nullptr) body.push_back({origin(*stage)});
    Body lowered = stage == nullptr ? lower(lowering, std::get<kernel::Block>(child), depth + 1, renaming)
                                    : lower_stage(lowering, *stage, renaming);
    for (Statement& statement : lowered) body.push_back(std::move(statement));
  }
  while (!loops.empty()) {
    Loop loop = std::move(loops.back());
    loops.pop_back();
    loop.body = std::move(body);
    body.clear();
    body.push_back({std::move(loop)});
  }
  return body;
}

/// All contractions of the kernel have few rows.
std::vector<Guard> few_rows_guards(Lowering& lowering) {
  std::vector<Guard> guards;
  kernel::walk<kernel::Stage>(lowering.kernel.root, [&](const kernel::Stage& stage) {
    const auto guard = is_tiled(lowering, stage) ? few_rows_guard(lowering, stage) : std::nullopt;
    if (guard) guards.push_back(*guard);
  });
  return guards;
}

}  // namespace

Schedule schedule_for_cpu(const kernel::Kernel& kernel, const Processor& processor) {
  Lowering lowering{kernel, &processor, {}};
  lowering.schedule.name = kernel.name;
  for (const kernel::Buffer& buffer : kernel.buffers) {
    lowering.schedule.buffers.push_back({buffer.name, buffer.element, buffer.shape, space_of(buffer),
                                         dense_layout(buffer.shape), buffer.written, std::nullopt});
    if (buffer.space == kernel::Buffer::Space::argument) ++lowering.schedule.arguments;
  }
  if (std::vector<Guard> guards = few_rows_guards(lowering); !guards.empty()) {
    lowering.few_rows = true;
    lowering.schedule.variants.push_back({std::move(guards), lower(lowering, kernel.root, 1, {})});
    lowering.few_rows = false;
  }
  lowering.schedule.variants.push_back({{}, lower(lowering, kernel.root, 1, {})});
  return std::move(lowering.schedule);
}

}  // namespace codegen::schedule::cpu
