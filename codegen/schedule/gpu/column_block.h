#pragma once

#include <optional>

#include "codegen/kernel/ir/kernel.h"
#include "codegen/schedule/gpu/target.h"

namespace codegen::schedule::gpu {

/// A block over columns that is the only child of one over rows, as kernels have it that keep no rows.
struct ColumnBlock {
  const kernel::Block *rows = nullptr, *columns = nullptr;

  const kernel::Axis& column() const { return columns->axes[0]; }
};

/// Returns the blocks of the kernel if it has these alone, one axis over columns and no guards, and the
/// target has tensor cores.
std::optional<ColumnBlock> column_block(const kernel::Kernel& kernel, const GpuTarget& target);

/// Returns whether the stage adds up products of two float32 operands, without masks.
bool is_f32_product(const kernel::Stage& stage);
/// Returns whether the stage computes a product for each column, for the rows `m`, and stores what its
/// epilogue makes of it to local buffers of no axes.
bool gives_elements(const kernel::Kernel& kernel, const ColumnBlock& block, const kernel::Stage& stage,
                    const std::vector<kernel::AxisId>& m);
/// Returns whether the stage sums products over the columns, for the rows `m`.
bool sums_columns(const ColumnBlock& block, const kernel::Stage& stage, const std::vector<kernel::AxisId>& m);

}  // namespace codegen::schedule::gpu
