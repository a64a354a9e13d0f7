#pragma once

#include "dlvm/ir/function.h"

namespace dlvm {

/// EE, behind AE. Afterwards a recursive enum that only one function makes and takes apart is the number of a
/// node (i32): each instruction that makes one is a node, those of a case are numbered one after another, and
/// their payloads are values that the function holds. A case is a range of numbers, and a payload a row of
/// the payloads of its case. Where a node may be made several times, as in a loop, the enum stays.
bool enum_expansion(Function& function);

}  // namespace dlvm
