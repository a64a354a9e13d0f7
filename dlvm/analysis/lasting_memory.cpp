#include "dlvm/analysis/lasting_memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "dlvm/analysis/numbered_pointers.h"
#include "dlvm/analysis/pointer_uses.h"
#include "dlvm/analysis/stack_record.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

std::string fate_of_address(const Instruction& escape) {
  if (const auto call = as<Apply>(escape)) return "is passed to @" + call.callee()->name();
  if (escape.opcode() == Opcode::store) return "is stored";
  if (escape.opcode() == Opcode::return_) return "is returned";
  if (escape.is(Trait::terminator)) return "a block takes from several others";
  return fmt::format("{} takes", escape.definition().name);
}

/// The part of a type that is no tensor.
std::optional<Type> other_part(const Type& type) {
  if (type.is_tensor()) return std::nullopt;
  if (!type.is_aggregate()) return type;
  for (std::size_t i = 0; i < type.component_count(); ++i)
    if (auto part = other_part(type.component(i))) return part;
  return std::nullopt;
}

std::string why_allocation_lasts(Instruction& allocation) {
  const bool heap = allocation.opcode() == Opcode::allocateHeap;
  if (!heap && allocation.opcode() != Opcode::allocateStack && allocation.opcode() != Opcode::allocateBox)
    return "";
  const PointerUses uses = pointer_uses(allocation);
  const std::string obstacle = NumberedPointers(allocation.block()->function()).obstacle();
  const std::string while_other = obstacle.empty() ? "" : fmt::format(" while {},", obstacle);
  if (uses.escape != nullptr) {
    const Opcode opcode = uses.escape->opcode();
    const bool says_all = opcode == Opcode::apply || opcode == Opcode::return_;
    return fmt::format(", whose address {},{}", fate_of_address(*uses.escape), says_all ? "" : while_other);
  }
  const auto other = other_part(allocation.type().pointee());
  if (other && (uses.chooses || !uses.copies.empty()))
    return fmt::format(", where run-time positions choose among values of type {},", other->text());
  if (!uses.ends.empty()) return ", which something uses when it may have ended," + while_other;
  return "";
}

std::string why_stack_lasts(const Instruction& stack) {
  for (const Instruction* user : stack.users()) {
    if (const auto call = as<Apply>(*user))
      return fmt::format(", which is passed to @{},", call.callee()->name());
    if (user->is(Trait::terminator)) return ", which goes to another block or to the caller,";
    if (user->opcode() == Opcode::push && user->operand(0)->type().is_stack())
      return ", which holds stacks or is held by one,";
  }
  return stack_record(stack) ? "" : ", whose values have several types,";
}

}  // namespace

std::string why_it_lasts(Value& memory) {
  const Literal* literal = as_literal(&memory);
  const bool is_variable = literal != nullptr && literal->global() != nullptr;
  Instruction* made = as_instruction(&memory);
  if (made != nullptr)
    return made->opcode() == Opcode::createStack ? why_stack_lasts(*made) : why_allocation_lasts(*made);
  const Instruction* escape = is_variable ? pointer_uses(memory).escape : nullptr;
  return escape == nullptr ? "" : fmt::format(", whose address {},", fate_of_address(*escape));
}

}  // namespace dlvm
