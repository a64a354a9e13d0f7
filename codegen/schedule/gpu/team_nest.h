#pragma once

#include <set>

#include "codegen/schedule/common/axis_group.h"
#include "codegen/schedule/common/lowering.h"
#include "codegen/schedule/gpu/row_registers.h"
#include "codegen/schedule/gpu/thread_stage.h"

namespace codegen::schedule::gpu {

inline constexpr std::int64_t block_threads_of_team = 256, warps_of_block = 8;

/// What the schedules of one kernel for devices share, whatever grids they have: its buffers, and what a team
/// does for a point of a block's axes. One such object makes one variant.
class TeamNest {
 protected:
  /// Loops are numbered from `first_loop` on.
  TeamNest(const kernel::Kernel& kernel, const Chip& chip, LoopId first_loop = 0);

  /// Of rows of `block`: a warp a row that is known to have at most 1024 elements, else a block. So long as
  /// this is all that decides, a row has the same bits in every schedule.
  Team team_of(const kernel::Block& block) const;
  static bool is_warp(const Team& team) { return team.threads == 32; }

  /// The rows of a stage that a team reduces: its parallel axes become the block's.
  static kernel::Block rows_of(const kernel::Stage& stage);

  /// The block's children at one point of its axes, which `renaming` has. What threads hand to themselves
  /// lies in their registers (row_registers.h); reductions of long rows are split (long_rows.h).
  Body children(const kernel::Block& block, const Renaming& renaming, const Team& team);

  /// The buffers of one point of the outer axes that the body uses: the kernel's local ones, and those made
  /// for a row.
  std::set<BufferId> locals(Body& body) const;
  /// Of one point of some axes, not of the whole kernel.
  bool is_of_point(const kernel::Buffer& buffer) const;
  /// One of the buffer for each of `extent` places; the body uses that of `place`.
  void prefix(Body& body, BufferId id, const Extent& extent, const Index& place);

  Lowering lowering_;
  kernel::AxisId next_axis_;  ///< the first that is free

 private:
  void add_buffers();
  Body in_turn(const kernel::Block& block, const Renaming& outer, const Team& team,
               const RowInRegisters* row);
  Body row_stage(const kernel::Stage& stage, bool is_long, const Renaming& outer, const Team& team);

  std::set<BufferId> made_;  ///< for a row: states of a long one's chunks, registers
};

}  // namespace codegen::schedule::gpu
