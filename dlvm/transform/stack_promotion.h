#pragma once

#include "dlvm/ir/function.h"

namespace dlvm {

/// SP. Afterwards what `allocateHeap` and `allocateBox` make is on the stack if no other function can reach
/// it, and nothing uses it once it may have been deallocated or released for the last time. Memory that is
/// made again, in a loop, is new. Where the run chooses the count, uses are checked by it
/// (bounded_allocation.h), and the memory has as many values as there are at most (allocation_count.h).
/// Literal counts below 0 or above 2^16 stay on the heap.
bool stack_promotion(Function& function);

}  // namespace dlvm
