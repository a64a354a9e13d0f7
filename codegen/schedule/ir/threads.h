#pragma once

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule {

/// The number of threads in a warp, which is the meaning of one iteration of a `LoopKind::warp` loop. A
/// target that runs grids must have warps of this size, as the runtime's ABI says too (runtime/abi.h).
inline constexpr std::int64_t warp_threads = 32;

/// Returns the number of threads that the statements need: nested thread loops multiply, and a warp loop
/// needs `warp_threads` for each iteration.
std::int64_t threads_of(const Body& body);

/// Returns the number of threads in a block of the grid, a multiple of `warp_threads`.
std::int64_t block_threads(const Loop& grid);

}  // namespace codegen::schedule
