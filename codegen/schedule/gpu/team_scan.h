#pragma once

#include "codegen/schedule/gpu/lowering.h"
#include "codegen/schedule/gpu/work_distribution.h"

namespace codegen::schedule::gpu {

/// Returns the statements by which the threads of a block compute a stage with one ordered axis: as many
/// points at a time as the block has threads. Their states are combined in logarithmically many steps, after
/// each of which a state stands for twice as many points (Hillis and Steele, Data Parallel Algorithms, 1986),
/// and then with the state of all points before them.
Body schedule_team_scan(GpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer,
                        const Team& team);

}  // namespace codegen::schedule::gpu
