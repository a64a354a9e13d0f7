#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// PN. Makes numbers of pointers and boxes that a function stores, pushes to a stack or passes to blocks, so
/// that which memory they point to is not known where they are used, that point to memory which it ends, or
/// which is on the heap or in boxes.
/// What allocations of one type make are the values of one allocation then, the pool, and an address is the
/// number of a value; the first one is not used, and its number is null. Each time that an allocation is run,
/// it takes values of its own. Where such an address is that of a component, or the run says how many values
/// an allocation makes, an address is the number of a cell instead, which holds one element, and the types
/// of the values and of the components share the cells. Returns whether something changed.
///
/// Where boxes are released, or heap memory is deallocated, there is a count of references to each value, and
/// what uses one without any fails. Where neither a constant nor an extent bounds how many values an
/// allocation makes, the dimension `FUNCTION_values` does.
///
/// Pointers stay that the function takes, and nothing changes where it gives these away, or returns addresses
/// of the same types or passes them to another one.
bool pointer_numbering(Module& module);

}  // namespace dlvm
