#pragma once

#include "codegen/schedule/gpu/work_distribution.h"

namespace codegen::schedule::gpu {

/// The stage as a team computes it.
Body lower_for_team(Lowering& lowering, const kernel::Stage& stage, const Renaming& outer, const Team& team);

/// A stage of a row that the team's threads share so: its points, or its reduction's.
Body lower_row(Lowering& lowering, const kernel::Stage& stage, const Renaming& outer, const Team& team,
               const RowShare& share);

/// The stage as all threads of a team compute it alike, one point after the other.
Body lower_alike(Lowering& lowering, const kernel::Stage& stage, const Renaming& outer, const Team& team);

/// The stage as a grid of its own, a thread a point.
Body lower_as_grid(Lowering& lowering, const kernel::Stage& stage);

}  // namespace codegen::schedule::gpu
