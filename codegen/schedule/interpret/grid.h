#pragma once

#include "codegen/schedule/interpret/thread.h"

namespace codegen::schedule::machine {

/// Runs the grid of the block loop and of those nested directly in it. Blocks run one after the other, and in
/// each block one thread after the other up to the point where it waits for others.
void run_grid(InterpreterRun& interpreter, Thread& around, const Loop& loop);

}  // namespace codegen::schedule::machine
