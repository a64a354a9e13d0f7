#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// An entry point that would have this many copies of a function's body shares it.
inline constexpr std::size_t min_shared_copies = 16;
/// A function of fewer instructions is not worth a boundary that kernels do not cross.
inline constexpr std::size_t min_shared_instructions = 24;

/// The pass FS. It gives a function the attribute `!shared` (analysis/shared_functions.h) if inlining would
/// copy its body into one entry point, or into one function that a gradient is declared of, at least
/// `min_shared_copies` times: the equal blocks of a network. Functions that a shared one calls are counted
/// once. Only a function of at least `min_shared_instructions` that multiplies matrices or convolves is
/// shared, since kernels end there anyway. Another one that the entry point, or the function that is
/// differentiated, itself calls so often gets the attribute `!sharedInMemory`: the update of an optimizer.
/// With all that it calls a function must be straight-line code of tensors. Nothing is shared in a module
/// that declares gradients of gradients, or in forward mode.
bool function_sharing(Module& module);

}  // namespace dlvm
