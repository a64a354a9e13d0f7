#pragma once

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule::gpu {

/// Inserts barriers into the grids of a GPU schedule: before each statement that reads memory which other
/// threads wrote, or writes memory which other threads read or wrote, since the last barrier. Within one
/// thread loop a thread is taken to be alone, and two thread loops that touch the same memory are taken to
/// touch it by different threads. A wait for asynchronous copies is inserted before their memory is touched,
/// if there is none. The pass ignores panels that become multistage buffers, whose accesses
/// `expand_pipelines` orders later.
void insert_barriers(Schedule& schedule);

}  // namespace codegen::schedule::gpu
