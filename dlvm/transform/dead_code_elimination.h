#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// The pass DCE. Afterwards every instruction is used, ends its block, or may stop the entry point with an
/// error: an index that is not provably inside, also in a callee. In a module with entry points, every
/// function is reachable from an entry point or an initializer; in others all functions stay.
bool dead_code_elimination(Module& module);

/// The part of DCE that needs no module: calls and instructions that may fail stay. The time is linear.
bool remove_dead_instructions(Function& function);

}  // namespace dlvm
