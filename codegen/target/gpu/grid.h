#pragma once

#include <vector>

#include "codegen/schedule/ir/schedule.h"

namespace codegen::target::gpu {

/// One grid of a schedule, as a schedule of its own.
struct GridSchedule {
  /// One variant that is the grid's loop. Its buffers are those that the grid touches, in the order in which
  /// it does, first the arguments, which are the memory that other grids see; loops and values are numbered
  /// from 0. So grids that compute the same are equal but for names, whichever schedule or variant they come
  /// from.
  schedule::Schedule schedule;
  std::vector<schedule::BufferId> arguments;  ///< the numbers of the arguments in the whole schedule
};

GridSchedule extract_grid(const schedule::Schedule& whole, const schedule::Loop& grid);

}  // namespace codegen::target::gpu
