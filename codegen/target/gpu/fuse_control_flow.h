#pragma once

#include "codegen/schedule/ir/scheduled_program.h"

namespace codegen::target::gpu {

/// Marks the scopes that become one kernel of one block, so that a device decides their conditions itself:
/// the largest ones with a condition that no jump leaves, and of which every launch has a single block
/// whatever the dimensions, and of which the statements outside use at most one of the values that it swaps
/// with each other. The program's kernels must be scheduled.
void fuse_control_flow(schedule::ScheduledProgram& scheduled);

}  // namespace codegen::target::gpu
