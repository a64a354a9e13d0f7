#pragma once

#include "dlvm/ir/function.h"

namespace dlvm {

/// SP. Afterwards what `allocateHeap` and `allocateBox` make is on the stack if its count is a literal, no
/// other function can reach it, and nothing uses it once it may have been deallocated or released for the
/// last time. Memory that is made again, in a loop, is new.
bool stack_promotion(Function& function);

}  // namespace dlvm
