#pragma once

#include <set>

#include "codegen/schedule/gpu/lowering.h"
#include "codegen/schedule/ir/index.h"

namespace codegen::schedule::gpu {

/// Rows so long that few of them leave most of a GPU idle: blocks of stages alone, of which one reduces a
/// long row (`is_long_row`). Such reductions are split into chunks whatever the number of rows, so that a row
/// has the same bits in both schedules that there are:
///   - of many rows, a block of threads takes one, its chunks in turn (team_builder.h);
///   - of few rows, each stage is grids of its own, its chunks different blocks' (gpu.cpp).
bool has_long_rows(const kernel::Block& block, const std::optional<DynamicRowLength>& row);

/// Returns the number of the block's rows. Fewer than the target's multiprocessors are few.
Extent row_count(const kernel::Block& block);

/// Returns the block's local buffers that its stages touch.
std::set<BufferId> locals_of(const kernel::Block& block, const kernel::Kernel& kernel);

/// Returns the stage over the block's axes as well; the buffers in `locals` have these in front of their own.
kernel::Stage distribute_to_grid(const kernel::Stage& stage, const kernel::Block& block,
                                 const std::set<BufferId>& locals);
/// Returns what one row of such a stage is.
kernel::Stage row_of(const kernel::Stage& spread_stage, const kernel::Block& block);

}  // namespace codegen::schedule::gpu
