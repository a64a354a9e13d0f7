#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// The pass DCE. Afterwards something needs the value of every instruction and of every argument of a block
/// (values that only go round a loop are gone), or the instruction ends its block, or it may stop the entry
/// point with an error: an index that is not provably inside, also in a callee. Branches stay, and with them
/// a loop that computes nothing, because it may not end; blocks are CFGSimp's. In a module with entry points,
/// every function is reachable from an entry point or an initializer; in others all functions stay.
bool dead_code_elimination(Module& module);

/// The part of DCE that erases functions which nothing reaches, in a module with entry points.
bool remove_unreachable_functions(Module& module);

/// The part of DCE that needs no module: calls and instructions that may fail stay. The time is linear.
bool remove_dead_instructions(Function& function);

}  // namespace dlvm
