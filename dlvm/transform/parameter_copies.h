#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// Lets each function that is differentiated work on a copy of what a pointer parameter points to, where
/// nothing else leads to that memory: it loads the value before it first uses it, and stores it where it
/// returns if it has used it. See dlvm/analysis/parameter_memory.h. Returns whether something changed.
bool copy_parameters(Module& module);

}  // namespace dlvm
