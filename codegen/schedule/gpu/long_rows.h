#pragma once

#include <set>

#include "codegen/schedule/gpu/lowering.h"
#include "codegen/schedule/ir/index.h"

namespace codegen::schedule::gpu {

/// Returns whether the rows are so long that few of them leave most of a GPU idle: the block consists of
/// stages alone, and one of them reduces a long row (`is_long_row`). Such a reduction is split into chunks
/// whatever the number of rows, so that a row has the same bits in both schedules:
///   - of many rows, a block of threads computes each one, chunk after chunk (team_builder.h);
///   - of few rows, each stage becomes grids, and different blocks compute the chunks (gpu.cpp).
bool has_long_rows(const kernel::Block& block, const std::optional<DynamicRowLength>& row);

/// Returns the number of the block's rows. There are few rows if it is below the target's multiprocessors.
Extent row_count(const kernel::Block& block);

/// Returns the block's local buffers that its stages touch.
std::set<BufferId> locals_of(const kernel::Block& block, const kernel::Kernel& kernel);

/// Returns the stage over the block's axes as well; the buffers in `locals` have these axes before their own.
kernel::Stage distribute_to_grid(const kernel::Stage& stage, const kernel::Block& block,
                                 const std::set<BufferId>& locals);
/// Returns the stage that computes one row of such a stage.
kernel::Stage row_of(const kernel::Stage& spread_stage, const kernel::Block& block);

}  // namespace codegen::schedule::gpu
