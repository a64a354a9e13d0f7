#pragma once

#include <set>

#include "codegen/schedule/common/axis_group.h"
#include "codegen/schedule/gpu/choose.h"
#include "codegen/schedule/gpu/lowering.h"
#include "codegen/schedule/gpu/row_registers.h"

namespace codegen::schedule::gpu {

/// Builds what the schedules of one kernel for a GPU share, whatever grids they have: its buffers, and what a
/// team does for a point of a block's axes. One such builder makes one variant.
class TeamBuilder {
 public:
  /// Loops are numbered from `first_loop` on.
  TeamBuilder(const kernel::Kernel& kernel, const GpuTarget& target, VariantPlan variant, bool tf32,
              LoopId first_loop);

  bool is_warp(const Team& team) const { return team.threads == lowering.target.warp_threads; }

  /// Returns the stage's rows, which a team reduces each: its parallel axes become the block's.
  static kernel::Block rows_of(const kernel::Stage& stage);

  /// Builds the block's children at one point of its axes, which `renaming` has. What threads hand to
  /// themselves stays in their registers (row_registers.h); reductions of long rows are split (long_rows.h).
  Body children(const kernel::Block& block, const Renaming& renaming, const Team& team);

  /// Returns the buffers of one point of the outer axes that the body uses: the kernel's local ones, and
  /// those made for a row.
  std::set<BufferId> locals(Body& body) const;
  /// Whether the buffer is of one point of some axes, not of the whole kernel.
  bool is_of_point(const kernel::Buffer& buffer) const;
  /// Makes one of the buffer for each of `extent` places; the body uses that of `place`.
  void prefix(Body& body, BufferId id, const Extent& extent, const Index& place);

  GpuLowering lowering;
  kernel::AxisId next_axis;  ///< the first that is free

 private:
  void add_buffers();
  Body in_turn(const kernel::Block& block, const Renaming& outer, const Team& team, const std::string& why,
               const RowInRegisters* row);
  Body row_stage(const kernel::Stage& stage, bool is_long, const Renaming& outer, const Team& team);

  std::set<BufferId> made_;  ///< for a row: states of a long one's chunks, registers
};

/// Returns the schedule's buffers for the kernel's own, as they are before any stage is lowered: scalars of
/// one point are in every thread's registers; where the other local ones are is decided later.
std::vector<Buffer> kernel_buffers(const kernel::Kernel& kernel);

}  // namespace codegen::schedule::gpu
