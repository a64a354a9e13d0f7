#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// Gives the erased extents in types of functions those that they stand for: in the result of a function,
/// those of the values that its body returns, where all of them agree; in the type of a gradient declaration,
/// those of the function that it differentiates. What stands for nothing known stays erased.
void resolve_erased_types(Module& module);

}  // namespace dlvm
