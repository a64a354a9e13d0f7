#include "dlvm/transform/clipping_conditions.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "dlvm/analysis/dominators.h"
#include "dlvm/ir/builder.h"
#include "dlvm/transform/rewrite.h"

namespace dlvm {
namespace {

/// Returns the comparison by which the select clips a value at 0, or null.
Instruction* clipping_condition(const Instruction& select) {
  if (select.opcode() != Opcode::select) return nullptr;
  Instruction* comparison = as_instruction(select.operand(2));
  if (comparison == nullptr || comparison->operands().size() != 2 ||
      splat_value(comparison->operand(1)) != 0.0 || comparison->operand(0)->type() != select.type())
    return nullptr;
  const auto clips = [&](Opcode opcode, std::size_t kept) {
    return comparison->opcode() == opcode && select.operand(kept) == comparison->operand(0) &&
           splat_value(select.operand(1 - kept)) == 0.0;
  };
  return clips(Opcode::lessThanOrEqual, 1) || clips(Opcode::greaterThan, 0) ? comparison : nullptr;
}

bool is_in_memory(const Instruction& value) {
  return std::ranges::any_of(value.users(),
                             [](const Instruction* user) { return !user->is(Trait::elementwise); });
}

/// Returns the instructions that use the condition behind the select, on every way to which it is computed.
std::vector<Instruction*> later_users(const Instruction& condition, const Instruction& select,
                                      const DominatorTree& dominators) {
  std::vector<Instruction*> users;
  for (Instruction* user : condition.users())
    if (user->block() != select.block() && dominators.dominates(select.block(), user->block()))
      users.push_back(user);
  bool is_behind = false;
  for (const auto& instruction : select.block()->instructions()) {
    const auto& operands = instruction->operands();
    if (is_behind && std::ranges::find(operands, &condition) != operands.end())
      users.push_back(instruction.get());
    is_behind = is_behind || instruction.get() == &select;
  }
  return users;
}

bool read_from_result(Instruction& select, const DominatorTree& dominators) {
  Instruction* condition = clipping_condition(select);
  if (condition == nullptr || !is_in_memory(select)) return false;
  const std::vector<Instruction*> users = later_users(*condition, select, dominators);
  if (users.empty()) return false;
  const auto& instructions = select.block()->instructions();
  const auto at = std::ranges::find(instructions, &select, [](const auto& each) { return each.get(); });
  Builder builder(*select.block(), std::next(at)->get());
  Value* of_result = builder.binary(condition->opcode(), &select, condition->operand(1));
  as_instruction(of_result)->set_locations(condition->locations());
  for (Instruction* user : users)
    for (std::size_t i = 0; i < user->operands().size(); ++i)
      if (user->operand(i) == condition) user->set_operand(i, of_result);
  return true;
}

}  // namespace

bool clipping_conditions(Function& function) {
  const ControlFlow flow(function);
  const DominatorTree dominators(flow);
  std::vector<Instruction*> selects;
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions())
      if (clipping_condition(*instruction) != nullptr) selects.push_back(instruction.get());
  bool changed = false;
  for (Instruction* select : selects) changed = read_from_result(*select, dominators) || changed;
  return changed;
}

}  // namespace dlvm
