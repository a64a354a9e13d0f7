#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// CSE. Afterwards no two instructions of a block compute the same from the same operands (operands of
/// commutative instructions in any order, literals by value); the one that stays keeps the locations of both.
/// Linear on average.
bool common_subexpression_elimination(Function& function);

}  // namespace dlvm
