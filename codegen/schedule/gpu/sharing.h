#pragma once

#include "codegen/schedule/common/lowering.h"

namespace codegen::schedule::gpu {

/// Threads that work together on one point of the outer axes: a warp or a block.
struct Team {
  std::int64_t threads = 256;
};

/// How a stage's points and reduction are spread over threads.
enum class Sharing : std::uint8_t {
  points,     ///< a thread a point
  reduction,  ///< the threads of a team share each point's reduction
  none,       ///< one point, computed by all threads alike
};
/// Whether partial states of the stage's reduction may be combined in any order.
bool combines_in_any_order(const kernel::Stage& stage);
Sharing choose_sharing(const Lowering& lowering, const kernel::Stage& stage);

/// Which thread of a team has which points of a row: point (step * threads + thread) * width + lane, of the
/// row's axes as one, row-major.
struct RowShare {
  std::int64_t steps = 1, width = 1;
  kernel::AxisId slot = 0;  ///< stands for step * width + lane in accesses to the thread's registers
};

}  // namespace codegen::schedule::gpu
