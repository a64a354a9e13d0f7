#pragma once

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule::gpu {

/// Puts barriers into the grids of a schedule for devices: before a statement that reads what threads wrote
/// to memory, or writes what threads read or wrote, since the last barrier. Inside of a thread loop a thread
/// is alone: two thread loops that touch the same memory are taken to touch it by different threads.
/// Asynchronous copies that nobody waits for are waited for before what they wrote is touched. What becomes
/// a multistage buffer is left to `expand_pipelines`, which runs later.
void insert_barriers(Schedule& schedule);

}  // namespace codegen::schedule::gpu
