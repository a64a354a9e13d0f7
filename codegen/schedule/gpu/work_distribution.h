#pragma once

#include "codegen/schedule/common/lowering.h"

namespace codegen::schedule::gpu {

/// Threads that work together on one point of the outer axes: a warp or a block.
struct Team {
  std::int64_t threads = 0;
};

/// Says which threads compute a stage's points and reduction.
enum class WorkDistribution : std::uint8_t {
  per_thread,             ///< each point is computed by one thread
  cooperative_reduction,  ///< the threads of a team share each point's reduction
  replicated,             ///< all threads compute the one point alike
};

/// Whether partial states of the stage's reduction may be combined in any order.
bool combines_in_any_order(const kernel::Stage& stage);

/// Returns the distribution of a stage whose accesses are to `buffers`.
WorkDistribution choose_work_distribution(const kernel::Stage& stage, Buffers buffers);

/// From so many reduced points on a team shares them also where no axis is contiguous.
inline constexpr std::int64_t cooperative_chain = 1024;

/// Says which thread of a team has which points of a row: point (step * threads + thread) * width + lane, of
/// the row's axes as one, row-major.
struct RowShare {
  std::int64_t steps = 1, width = 1;
  kernel::AxisId element = 0;  ///< stands for step * width + lane in accesses to the thread's registers
};

}  // namespace codegen::schedule::gpu
