#pragma once

#include <set>

#include "codegen/schedule/common/lowering.h"
#include "codegen/schedule/ir/index.h"

namespace codegen::schedule::gpu {

/// Rows so long that few of them leave most of a chip idle: blocks of stages alone, of which one reduces a
/// long row (`is_long_row`). Such reductions are split into chunks whatever the number of rows, so that a row
/// has the same bits in both schedules that there are:
///   - of many rows, a block of threads takes one, its chunks in turn (team_nest.h);
///   - of few rows, each stage is grids of its own, its chunks different blocks' (gpu.cpp).
bool has_long_rows(const Lowering& lowering, const kernel::Block& block);

/// Fewer rows than this are few: about as many as a chip has multiprocessors.
inline constexpr std::int64_t many_rows = 128;

/// The block's local buffers that its stages touch.
std::set<BufferId> locals_of(const kernel::Block& block, const kernel::Kernel& kernel);

/// The stage over the block's axes as well; the buffers in `locals` have these in front of their own.
kernel::Stage distribute_to_grid(const kernel::Stage& stage, const kernel::Block& block,
                                 const std::set<BufferId>& locals);
/// What one row of a spread stage is.
kernel::Stage row_of(const kernel::Stage& spread_stage, const kernel::Block& block);

}  // namespace codegen::schedule::gpu
