#pragma once

#include <vector>

#include "codegen/schedule/ir/schedule.h"

namespace codegen::target::gpu {

/// One grid of a schedule, as a schedule of its own.
struct GridSchedule {
  /// A schedule with one variant, which is the grid's loop. Its buffers are those that the grid accesses, in
  /// order of access; the arguments, which are the memory that other grids see, come first. Loops and values
  /// are numbered from 0. So grids that compute the same are equal except for names, whichever schedule or
  /// variant they come from.
  schedule::Schedule schedule;
  std::vector<schedule::BufferId> arguments;  ///< the numbers of the arguments in the whole schedule
};

/// Returns `grid`, a loop over blocks of the schedule `whole`.
GridSchedule extract_grid(const schedule::Schedule& whole, const schedule::Loop& grid);

}  // namespace codegen::target::gpu
