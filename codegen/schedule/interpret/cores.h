#pragma once

#include "codegen/schedule/interpret/thread.h"

namespace codegen::schedule::machine {

/// Runs the iterations of the core loop and of those in it as a few cores would, one core after the other, in
/// any order. An element that one core writes and another touches is an error.
void run_cores(InterpreterRun& interpreter, Thread& around, const Loop& loop);

}  // namespace codegen::schedule::machine
