#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// Visits the instructions of a function in the order of its blocks.
template <typename Visit>
void for_each_instruction(const Function& function, Visit visit) {
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions()) visit(*instruction);
}

/// Visits those of all functions of a module.
template <typename Visit>
void for_each_instruction(const Module& module, Visit visit) {
  for (const auto& function : module.functions()) for_each_instruction(*function, visit);
}

}  // namespace dlvm
