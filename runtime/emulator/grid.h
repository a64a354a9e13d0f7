#pragma once

#include "runtime/emulator/state.h"

namespace runtime::emulator {

/// Runs all blocks of the grid on the session's workers, until one has a fault: then that of the lowest block
/// is the grid's. Without memory for a worker fewer run them; false where there is none for the first.
bool run_grid(Grid& grid);

void close_worker(Worker* worker);

/// After the blocks of a grid without fault: what they wrote is known, and races between blocks are found,
/// the first by block and thread. The grid's text then says it.
bool close_buffers(Grid& grid);

}  // namespace runtime::emulator
