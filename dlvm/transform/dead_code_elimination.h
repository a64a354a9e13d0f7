#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// DCE. Afterwards every instruction is used, ends its block, or may stop the entry point with an error (an
/// index that is not provably inside; what a call may fail by counts). In a module with entry points, every
/// function is reachable from an entry point or an initializer; without, all functions stay.
bool dead_code_elimination(Module& module);

/// The part of it that needs no module: calls and whatever may fail stay. Linear.
bool remove_dead_instructions(Function& function);

}  // namespace dlvm
