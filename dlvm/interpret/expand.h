#pragma once

#include "dlvm/support/diagnostic.h"
#include "dlvm/ir/module.h"

namespace dlvm {

/// Makes a raw module one that the interpreter can run: gradient declarations become functions, after the
/// stable rewrites. Nothing is simplified, so that what targets compute is compared with what was written.
bool expand_gradients(Module& module, Diagnostics& diagnostics);

}  // namespace dlvm
