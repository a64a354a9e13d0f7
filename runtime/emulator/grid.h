#pragma once

#include "runtime/emulator/state.h"

namespace runtime::emulator {

/// Runs all blocks of the grid on the session's workers until one has a fault; the fault of the lowest block
/// is then the grid's. Workers for which there is no memory are left out. Returns false if there is none for
/// the first worker.
bool run_grid(Grid& grid);

/// Releases the worker's memory; `worker` may be null.
void close_worker(Worker* worker);

/// Ends a grid without fault: records the bytes that it wrote, and finds races between blocks. The grid's
/// text describes the first race by block and thread. Returns whether there was none.
bool close_buffers(Grid& grid);

}  // namespace runtime::emulator
