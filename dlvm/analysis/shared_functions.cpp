#include "dlvm/analysis/shared_functions.h"

#include <algorithm>

#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

bool has_attribute(const Function& function, std::string_view attribute) {
  return std::ranges::find(function.attributes, attribute) != function.attributes.end();
}

/// Returns the value itself where it is a part of a tuple that an instruction has made of values.
const Value* behind_tuples(const Value* value) {
  while (const auto extract = as<Extract>(value)) {
    const Instruction* made = as_instruction(extract.aggregate());
    if (made == nullptr || made->opcode() != Opcode::literal) break;
    value = made->operand(extract.position());
  }
  return value;
}

/// Whether the value is a result of a call, by itself or as a part of a tuple.
bool is_called(const Value* value) {
  const auto extract = as<Extract>(value);
  const Instruction* made = as_instruction(extract ? extract.aggregate() : value);
  return made != nullptr && made->opcode() == Opcode::apply;
}

bool is_scalar(const Value* value) { return value->type().is_tensor() && value->type().rank() == 0; }

bool is_in_memory(const Value* value) {
  const Value* made = behind_tuples(value);
  return as_instruction(made) == nullptr || is_called(made);
}

/// Whether no other call of the function takes the value.
bool is_taken_once(const Value* value, const Instruction& call) {
  return as_literal(value) != nullptr || std::ranges::none_of(value->users(), [&](const Instruction* user) {
           const auto other = as<Apply>(*user);
           return user != &call && other && other.callee() == Apply(call).callee();
         });
}

/// Whether nothing but the end of the body uses the value, by itself or in a tuple.
bool is_only_returned(const Instruction& value) {
  return std::ranges::all_of(value.users(), [](const Instruction* user) {
    return user->is(Trait::terminator) || (user->opcode() == Opcode::literal && is_only_returned(*user));
  });
}

}  // namespace

bool is_shared(const Function& function) { return has_attribute(function, shared_attribute); }

bool may_be_shared(const Function& function) {
  return is_shared(function) || has_attribute(function, shared_in_memory_attribute);
}

bool is_shared_call(const Instruction& instruction) {
  const auto call = as<Apply>(instruction);
  if (!call || !may_be_shared(*call.callee()) || !call.callee()->has_body()) return false;
  const Type& type = call.callee()->type();
  const auto& operands = instruction.operands();
  return type.result() == instruction.type() &&
         std::ranges::equal(type.parameters(), operands, {}, {},
                            [](const Value* operand) -> const Type& { return operand->type(); });
}

bool is_between_memory(const Instruction& call) {
  const auto is_apart = [&](const Value* operand) {
    return is_scalar(operand) || (is_in_memory(operand) && is_taken_once(operand, call));
  };
  if (!std::ranges::all_of(call.operands(), is_apart)) return false;
  if (!call.type().is_tuple()) return is_only_returned(call);
  return std::ranges::all_of(call.users(), [](const Instruction* user) {
    return user->opcode() == Opcode::extract && is_only_returned(*user);
  });
}

}  // namespace dlvm
