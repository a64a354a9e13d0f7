#pragma once

#include "codegen/schedule/gpu/lowering.h"
#include "codegen/schedule/gpu/work_distribution.h"

namespace codegen::schedule::gpu {

/// Returns the stage as a team computes it, by its work distribution.
Body schedule_for_team(GpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer,
                       const Team& team);

/// Returns a stage of a row whose points, or whose reduction's, the team's threads share so.
Body schedule_row(GpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer, const Team& team,
                  const RowShare& share);

/// Returns the stage as all threads of a team compute it alike, one point after the other.
Body schedule_replicated(GpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer,
                         const Team& team);

/// Returns the stage as a grid of its own, a thread a point.
Body schedule_points(GpuLowering& lowering, const kernel::Stage& stage);

}  // namespace codegen::schedule::gpu
