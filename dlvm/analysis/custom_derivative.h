#pragma once

#include <string>
#include <vector>

#include "dlvm/ir/function.h"

namespace dlvm {

/// Returns the types that the derivative of a function of this type takes, where it is a function of its own
/// (`Function::adjoint`): the arguments, then the cotangents of the floating results.
std::vector<Type> adjoint_arguments(const Type& function);

/// Returns what is wrong with the derivative that the function has of its own; empty if it suits. The
/// function has a body, takes and returns tensors, at least one of each floating, and reads no variable of
/// the module. The derivative returns the cotangents of the floating arguments in their order: a tuple of
/// several, or one.
std::string wrong_with_adjoint(const Function& function);

}  // namespace dlvm
