#pragma once

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule {

/// Returns two schedules of one kernel as one: the first's variants, where their guards hold, else the
/// second's. Each keeps its own buffers, but for the arguments and what is alike in the workspace.
Schedule merge_variants(Schedule first, Schedule second);

/// Returns the first number that no loop of the schedule has.
LoopId next_loop(const Schedule& schedule);

/// Returns how many grids the last variant has.
std::size_t grid_count(const Schedule& schedule);

}  // namespace codegen::schedule
