#pragma once

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule {

inline constexpr std::int64_t warp_threads = 32;

/// How many threads the statements need: nested thread loops multiply, a warp loop takes whole warps.
std::int64_t threads_of(const Body& body);

/// Of a block of the grid: whole warps.
std::int64_t block_threads(const Loop& grid);

}  // namespace codegen::schedule
