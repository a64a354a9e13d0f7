#pragma once

#include "codegen/schedule/gpu/lowering.h"
#include "codegen/schedule/gpu/work_distribution.h"

namespace codegen::schedule::gpu {

/// Returns the statements by which a team computes the stage, according to its work distribution.
Body schedule_for_team(GpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer,
                       const Team& team);

/// Returns the statements for a stage of a row whose points, or whose reduction's points, the team's threads
/// share as `share` says.
Body schedule_row(GpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer, const Team& team,
                  const RowShare& share);

/// Returns the statements by which all threads of a team compute the stage alike, one point after the other.
Body schedule_replicated(GpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer,
                         const Team& team);

/// Returns the stage as a grid with one thread for each point.
Body schedule_points(GpuLowering& lowering, const kernel::Stage& stage);

}  // namespace codegen::schedule::gpu
