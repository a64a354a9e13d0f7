#include "dlvm/analysis/shared_functions.h"

#include <algorithm>

#include "dlvm/ir/instruction_views.h"

namespace dlvm {

bool is_shared(const Function& function) {
  return std::ranges::find(function.attributes, shared_attribute) != function.attributes.end();
}

bool is_shared_call(const Instruction& instruction) {
  const auto call = as<Apply>(instruction);
  if (!call || !is_shared(*call.callee()) || !call.callee()->has_body()) return false;
  const Type& type = call.callee()->type();
  const auto& operands = instruction.operands();
  return type.result() == instruction.type() &&
         std::ranges::equal(type.parameters(), operands, {}, {},
                            [](const Value* operand) -> const Type& { return operand->type(); });
}

}  // namespace dlvm
