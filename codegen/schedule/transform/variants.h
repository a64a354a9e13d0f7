#pragma once

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule {

/// Returns two schedules of one kernel as one: it runs a variant of the first if its guards hold, and
/// otherwise one of the second. Each keeps its own buffers, except for the arguments and equal buffers in the
/// workspace.
Schedule merge_variants(Schedule first, Schedule second);

/// Returns the first number that no loop of the schedule has.
LoopId next_loop(const Schedule& schedule);

/// Returns the number of grids in the last variant.
std::size_t grid_count(const Schedule& schedule);

}  // namespace codegen::schedule
