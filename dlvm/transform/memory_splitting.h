#pragma once

#include "dlvm/ir/function.h"

namespace dlvm {

/// Puts memory of tensors in the place of memory that `allocateStack` makes, where run-time positions choose
/// among several values or the components of arrays, or `copy` moves them: one for each tensor that a value
/// is made of, with an axis for the values, if they are several, and one for each array around it. Memory
/// that something else can reach, and memory of enums, pointers and boxes, stays as it is. All blocks are
/// reachable.
bool split_memory(Function& function);

/// Checks the positions of an elementPointer that is about to be removed, where no load or store in its block
/// does.
void check_positions(Instruction& element_pointer);

}  // namespace dlvm
