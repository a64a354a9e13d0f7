#pragma once

#include "codegen/schedule/common/lowering.h"

namespace codegen::schedule::gpu {

/// The threads that work together on one point of the outer axes: a warp or a block.
struct Team {
  std::int64_t threads = 0;
};

/// The distribution of a stage's points and reduction over threads.
enum class WorkDistribution : std::uint8_t {
  per_thread,             ///< each point is computed by one thread
  cooperative_reduction,  ///< the threads of a team share each point's reduction
  cooperative_scan,       ///< the threads of a block share each point's scan (team_scan.h)
  replicated,             ///< all threads compute the only point alike
};

/// Returns whether partial states of the stage's reduction may be combined in any order.
bool combines_in_any_order(const kernel::Stage& stage);

/// Returns the distribution of a stage whose accesses are to `buffers`.
WorkDistribution choose_work_distribution(const kernel::Stage& stage, Buffers buffers);

/// Returns whether the threads of a team share the reduction, scan or sort of each point.
bool is_cooperative(const kernel::Stage& stage, Buffers buffers);

/// The number of reduced points from which on a team shares them even if no axis is contiguous.
inline constexpr std::int64_t cooperative_chain = 1024;

/// The distribution of a row's points over the threads of a team: the points (step * threads + thread) *
/// width + lane of the row's axes, collapsed row-major, belong to `thread`.
struct RowShare {
  std::int64_t steps = 1, width = 1;
  /// The axis whose value is step * width + lane in accesses to the thread's registers.
  kernel::AxisId element = 0;
};

}  // namespace codegen::schedule::gpu
