// Functions that take the values of variables and return the last ones, in the place of their addresses.
#pragma once

#include <span>
#include <vector>

#include "dlvm/ir/module.h"

namespace dlvm {

/// Adds a copy of the function, whose type has these parameters, and as its result a tuple of the function's
/// result and of values of the types in `state`. The parameters and the returns of the body are still those
/// of the function.
Function* add_with_state(Module& module, const Function& function, std::vector<Type> parameters,
                         std::span<const Type> state);

/// Replaces a return by one that also returns what the pointers point to.
void return_state(Instruction& end, std::span<Value* const> pointers);

/// Replaces a call by one of `with_state`, and stores the values that it returns behind the result.
void call_with_state(Instruction& call, const Function& with_state, std::vector<Value*> arguments,
                     std::span<Value* const> pointers);

}  // namespace dlvm
