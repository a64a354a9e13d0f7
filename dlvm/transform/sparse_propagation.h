#pragma once

#include "dlvm/ir/function.h"

namespace dlvm {

/// Finds the values that are one literal on every way that can be taken (Wegman, Zadeck: Constant propagation
/// with conditional branches, 1991), where an argument of a block has what the taken ways pass to it.
/// Afterwards their uses are the literals, a conditional whose condition is one is a branch, and what the
/// entry does not reach any more is gone. Returns whether the body changed.
bool sparse_propagation(Function& function);

}  // namespace dlvm
