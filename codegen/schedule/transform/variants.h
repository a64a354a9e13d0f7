#pragma once

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule {

/// Two schedules of one kernel as one: the first's variants, where their guards hold, else the second's. Each
/// keeps its own buffers, but for the arguments and what is alike in the workspace.
Schedule merge_variants(Schedule first, Schedule second);

/// Above all loops of the schedule.
LoopId next_loop(const Schedule& schedule);

/// Of the last variant.
std::size_t grid_count(const Schedule& schedule);

}  // namespace codegen::schedule
