#include "codegen/schedule/gpu/streamed_rows.h"

#include <algorithm>

#include "codegen/schedule/common/axis_group.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::AxisKind;
using kernel::Stage;

/// The most columns that all sums of a kernel have, which are in the registers of a block.
constexpr std::int64_t max_columns = 256;

bool loads_local(const kernel::Kernel& kernel, const Scalar& scalar) {
  const auto* load = std::get_if<Scalar::Load>(&scalar.definition);
  return load != nullptr && kernel.buffers[load->access.buffer].space == kernel::Buffer::Space::local;
}

}  // namespace

std::optional<StreamedRows> streamed_rows(const kernel::Kernel& kernel, const GpuTarget& target) {
  const auto block = column_block(kernel, target);
  if (!block) return std::nullopt;
  StreamedRows found{*block, {}};
  std::int64_t columns = 0;  // of all sums
  for (const auto& child : block->columns->children) {
    const auto* stage = std::get_if<Stage>(&child);
    if (stage == nullptr || !stage->contraction) return std::nullopt;
    found.stages.push_back(stage);
    const auto& m = found.stages.front()->contraction->m;
    if (gives_elements(kernel, *block, *stage, m)) {
      // The operands of its product are in memory.
      if (std::ranges::any_of(stage->body, [&](const Scalar& each) { return loads_local(kernel, each); }))
        return std::nullopt;
    } else {
      const auto own = axes_of(*stage, AxisKind::parallel).extent.constant();
      if (!own || !sums_columns(*block, *stage, m) || stage->reduction->types.size() != 1)
        return std::nullopt;
      columns += *own;
    }
  }
  if (columns == 0 || columns > max_columns) return std::nullopt;
  return found;
}

}  // namespace codegen::schedule::gpu
