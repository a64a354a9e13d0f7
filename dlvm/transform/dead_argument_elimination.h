#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// The pass DAE. Afterwards something needs every parameter and every element of the result of a function
/// that is only called: what nothing needs is gone from the function, from its returns and from all calls,
/// also where functions only hand it to each other. Functions that are called from outside keep their types:
/// those of entry points and initializers, combinators, functions that a declaration names; without entry
/// points, all. A parameter stays where only it gives a dimension its value. What only dead values used is
/// dead code afterwards.
bool dead_argument_elimination(Module& module);

}  // namespace dlvm
