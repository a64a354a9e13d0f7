#pragma once

#include <optional>
#include <string>

#include "codegen/schedule/ir/schedule.h"

/// What a schedule may have beside the invariants of all schedules (verify.h) depends on how the target runs
/// it. Each function returns the first invariant that does not hold, or nothing.
namespace codegen::schedule {

/// One thread runs the schedule:
///   (M1) there are no loops over blocks, warps, threads or roles; (M2) no barriers or conversions,
///   and copies of tiles transpose a square of at most 64 elements a side, a power of two, between vectors;
///   (M3) no tiles that threads hold together, and no products on tensor cores; (M4) tiles of products and of
///   reductions, and what is allocated, are no shared memory; (M10) sorts have scratch.
std::optional<std::string> verify_for_core(const Schedule& schedule);

/// Grids of blocks run the schedule, one after the other:
///   (M5) a variant has allocations of workspace and loops over blocks, and nothing else outside of these;
///   (M6) a block has at most 1024 threads; (M7) there are no roles, panels, or conversions of tiles, and
///   copies of tiles are asynchronous; (M8) shared memory has a constant size; (M9) what is reduced in memory
///   is whole warps, and what is multiplied by single threads has constant sizes, in two axes of registers,
///   and stands in no vector loop.
std::optional<std::string> verify_for_grids(const Schedule& schedule);

}  // namespace codegen::schedule
