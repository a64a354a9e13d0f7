#pragma once

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule {

/// Threads of a warp loop's trip, in the interpreter and in the code of every target.
inline constexpr std::int64_t warp_threads = 32;

/// Returns how many threads the statements need: nested thread loops multiply, a warp loop takes whole warps.
std::int64_t threads_of(const Body& body);

/// Returns how many threads a block of the grid has: whole warps.
std::int64_t block_threads(const Loop& grid);

}  // namespace codegen::schedule
