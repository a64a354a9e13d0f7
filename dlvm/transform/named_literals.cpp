#include "dlvm/transform/named_literals.h"

namespace dlvm {

bool resolve_named_literals(Function& function) {
  bool changed = false;
  for (const auto& block : function.blocks())
    for (auto at = block->instructions().begin(); at != block->instructions().end();) {
      Instruction* instruction = (at++)->get();
      if (instruction->opcode() != Opcode::literal || !instruction->type().is_tensor()) continue;
      replace_all_uses(*instruction, *instruction->operand(0));
      block->erase(instruction);
      changed = true;
    }
  return changed;
}

}  // namespace dlvm
