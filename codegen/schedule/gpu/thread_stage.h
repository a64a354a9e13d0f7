#pragma once

#include "codegen/schedule/gpu/row_registers.h"
#include "codegen/schedule/lower/axis_group.h"
#include "codegen/schedule/lower/lowering.h"

namespace codegen::schedule {

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

/// The stage as a team computes it.
Body lower_for_team(Lowering& lowering, const kernel::Stage& stage, const Renaming& outer, const Team& team);

/// A stage of a row that the team's threads share so: its points, or its reduction's.
Body lower_row(Lowering& lowering, const kernel::Stage& stage, const Renaming& outer, const Team& team,
               const RowShare& share);

/// The stage as all threads of a team compute it alike, one point after the other.
Body lower_alike(Lowering& lowering, const kernel::Stage& stage, const Renaming& outer, const Team& team);

/// The stage as a grid of its own, a thread a point.
Body lower_as_grid(Lowering& lowering, const kernel::Stage& stage);

}  // namespace codegen::schedule
