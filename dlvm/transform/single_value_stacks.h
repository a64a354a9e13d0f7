#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// Part of SE. Afterwards the function has no stack of one value with zeros below it that on no path is
/// pushed to while it has a value: a derivative has such stacks for what it keeps outside of loops, and the
/// next order for their cotangents. Each leaf of the value is a value that is zero until a push, and behind a
/// pop. A block takes it as an argument where a way with the push and one without it meet, and only if it is
/// needed from there on. A leaf that more than a few such blocks would take is a row of a tensor that holds
/// all leaves of its type, so that nested conditionals, whose values leave all the conditionals around them,
/// do not need a number of arguments that grows with the square of their depth. The types of the values are
/// made of tensors. All blocks of the function must be reachable.
bool expand_single_value_stacks(Module& module, Function& function);

}  // namespace dlvm
