#pragma once

#include <set>

#include "codegen/schedule/common/axis_group.h"
#include "codegen/schedule/gpu/choose.h"
#include "codegen/schedule/gpu/lowering.h"
#include "codegen/schedule/gpu/row_registers.h"

namespace codegen::schedule::gpu {

/// Builds the parts that the schedules of one kernel share whatever grids they have: the buffers, and the
/// statements of a team for one point of a block's axes. One builder makes one variant.
class TeamBuilder {
 public:
  /// Numbers new loops from `first_loop` on.
  TeamBuilder(const kernel::Kernel& kernel, const GpuTarget& target, VariantPlan variant, bool tf32,
              LoopId first_loop);

  bool is_warp(const Team& team) const { return team.threads == lowering.target.warp_threads; }

  /// Returns the stage as a block whose axes are the stage's parallel axes, so that a team reduces each row.
  static kernel::Block rows_of(const kernel::Stage& stage);

  /// Returns the statements of the block's children at one point of its axes, which `renaming` binds. Values
  /// that a thread passes to itself stay in its registers (row_registers.h), and reductions of long rows are
  /// split (long_rows.h).
  Body children(const kernel::Block& block, const Renaming& renaming, const Team& team);

  /// Returns the buffers of one point of the outer axes that the body uses: the kernel's local buffers and
  /// those that were added for a row.
  std::set<BufferId> locals(Body& body) const;
  /// Returns whether the buffer belongs to one point of some axes, not to the whole kernel.
  bool is_of_point(const kernel::Buffer& buffer) const;
  /// Gives the buffer a new first axis of `extent`; the body uses its element `place`.
  void prefix(Body& body, BufferId id, const Extent& extent, const Index& place);

  GpuLowering lowering;
  kernel::AxisId next_axis;  ///< the first free id of an axis

 private:
  void add_buffers();
  Body in_turn(const kernel::Block& block, const Renaming& outer, const Team& team, const std::string& why,
               const RowInRegisters* row);
  Body row_stage(const kernel::Stage& stage, bool is_long, const Renaming& outer, const Team& team);

  /// Buffers that the schedule adds for a row: the states of a long row's chunks, and registers.
  std::set<BufferId> made_;
};

/// Returns the schedule's buffers for those of the kernel, as they are before any stage is lowered. Scalars
/// of one point are in every thread's registers; the place of other local buffers is decided later.
std::vector<Buffer> kernel_buffers(const kernel::Kernel& kernel);

}  // namespace codegen::schedule::gpu
