#include "dlvm/analysis/stack_record.h"

namespace dlvm {

std::optional<Type> stack_record(const Value& stack) {
  const Instruction* made = as_instruction(&stack);
  if (made == nullptr || made->opcode() != Opcode::createStack) return std::nullopt;
  std::optional<Type> record;
  for (const Instruction* user : stack.users()) {
    if (user->opcode() == Opcode::destroyStack) continue;
    const bool pushes = user->opcode() == Opcode::push;
    if (!pushes && user->opcode() != Opcode::peek && user->opcode() != Opcode::pop) return std::nullopt;
    const Type& type = pushes ? user->operand(0)->type() : user->type();
    if (type.is_stack() || (record && !(*record == type))) return std::nullopt;
    record = type;
  }
  return record ? record : Type();
}

}  // namespace dlvm
