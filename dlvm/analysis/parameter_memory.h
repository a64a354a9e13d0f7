// Decides what the pointer parameters of a function that is called from outside lead to.
#pragma once

#include <string>

#include "dlvm/ir/function.h"

namespace dlvm {

/// Says why the function cannot work on a copy of what the pointer leads to, in words that follow it: "which
/// is returned". Empty where it can: it does not return the pointer, pass it to calls or go to other values
/// from there, and nothing else that it uses or calls may lead to that memory, as far as the types of
/// elements tell.
std::string why_not_copied(const Function& function, Argument& parameter);

/// Returns whether what the function loads of what the pointer leads to does not depend on its other
/// arguments: it loads the value before it changes any such memory, as a function does that works on a copy,
/// or changes none at all.
bool leads_to_constants(Argument& parameter);

/// Returns the pointer parameter of which an elementPointer is made, or that the value is itself; null if
/// there is none.
Argument* parameter_of(Value& pointer);

}  // namespace dlvm
