#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// CL. Afterwards every function that combines elements can be applied to tensors element by element. A
/// `reduce`, `scan`, `reduceWindow` or `scatter` by another one, as by a function with a loop or a trap, is a
/// loop that calls the function for one element after another, in the order that the interpreter defines.
/// Code and derivatives are those of loops and calls. So is a `scatter` of floats by any function that does
/// more than to replace, in a function that is differentiated. Inlining is to follow.
bool combinator_loops(Module& module);

}  // namespace dlvm
