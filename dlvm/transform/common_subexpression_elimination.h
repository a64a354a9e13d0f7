#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// The pass CSE. Afterwards no instruction computes the same from the same operands as another one above it,
/// in its block or in one that dominates it (operands of commutative instructions in any order, literals by
/// value), but for what touches memory. The one that stays keeps the locations of both. The time is linear on
/// average.
bool common_subexpression_elimination(Module& module);

}  // namespace dlvm
