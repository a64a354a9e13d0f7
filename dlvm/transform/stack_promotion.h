#pragma once

#include "dlvm/ir/function.h"

namespace dlvm {

/// SP. Afterwards what `allocateHeap` and `allocateBox` make is on the stack if its count is a literal, no
/// other function can reach it, the function runs the allocation at most once, and nothing uses it once it
/// has been deallocated or released.
bool stack_promotion(Function& function);

}  // namespace dlvm
