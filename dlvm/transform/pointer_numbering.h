#pragma once

#include "dlvm/ir/function.h"

namespace dlvm {

/// Makes numbers of pointers and boxes that a function stores, pushes to a stack or passes to blocks, so that
/// which memory they point to is not known where they are used, or that point to memory which it ends. What
/// allocations of one type make are the values of one allocation then, the pool, and an address is the number
/// of a value; the first one is not used, and its number is null. Each time that an allocation is run, it
/// takes values of its own. Returns whether something changed.
///
/// Where boxes are released, or heap memory is deallocated, there is a count of references to each value, and
/// what uses one without any fails.
///
/// Pointers stay that the function takes, returns or passes to another one, and those to memory of which a
/// loop without a constant bound makes more.
bool pointer_numbering(Function& function);

}  // namespace dlvm
