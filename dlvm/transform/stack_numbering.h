#pragma once

#include "dlvm/analysis/call_graph.h"

namespace dlvm {

/// SN. Afterwards a block takes no stack, and no stack is held by another, by a tuple or by memory, where the
/// function alone uses it: such stacks are numbers (i64), and their values are in memory of `allocateStack`,
/// one for all stacks that may meet, with the number of values of each beside it. A push to a stack that is
/// full and a pop from one that is empty are errors as before, and so is a pop of a value of another type
/// than the one on top. A stack in a loop takes a new number each time round, so that a constant must bound
/// the rounds. Recursive functions that take stacks are to be loops before, and VP is to make values of the
/// memory.
bool stack_numbering(Module& module);

/// Returns whether one of the functions takes or returns stacks.
bool takes_stack(const Component& component);

}  // namespace dlvm
