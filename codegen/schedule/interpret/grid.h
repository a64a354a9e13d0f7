#pragma once

#include "codegen/schedule/interpret/thread.h"

namespace codegen::schedule::machine {

/// Runs the grid that the block loop, and those nested in it alone, make up: block after block, of each the
/// threads one after the other up to where they wait for each other.
void run_grid(Machine& machine, Thread& around, const Loop& loop);

}  // namespace codegen::schedule::machine
