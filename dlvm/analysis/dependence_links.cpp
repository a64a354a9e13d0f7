// The links that an instruction makes between leaves of values.
#include <unordered_set>

#include "dlvm/analysis/dependence.h"
#include "dlvm/analysis/effects.h"
#include "dlvm/analysis/leaves.h"
#include "dlvm/analysis/stack_record.h"
#include "dlvm/analysis/type_parts.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

bool is_integral(const Type& type) { return type.is_tensor() && is_integer(type.element()); }

/// The integers of a body that are made of the bits of floats. Where they come out of a call is not looked
/// into.
std::unordered_set<const Value*> values_with_bits(const Function& function) {
  std::unordered_set<const Value*> found;
  std::vector<const Value*> open;
  const auto add = [&](const Value* value) {
    if (is_integral(value->type()) && found.insert(value).second) open.push_back(value);
  };
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions())
      if (instruction->opcode() == Opcode::bitCast && !is_integral(instruction->operand(0)->type()))
        add(instruction.get());
  while (!open.empty()) {
    const Value* value = open.back();
    open.pop_back();
    for (const Instruction* user : value->users()) {
      if (!user->is(Trait::terminator)) add(user);
      for (std::size_t i = 0; i < user->successors().size(); ++i) {
        const auto passed = user->passed(i);
        for (std::size_t k = 0; k < passed.size(); ++k)
          if (passed[k] == value) add(user->successors()[i].block->arguments()[k].get());
      }
    }
  }
  return found;
}

}  // namespace

void Dependence::links(const Instruction& instruction, bool solving, const std::vector<bool>& wanted,
                       const Use& use) {
  if (instruction.type().is_enumeration()) return;  // it has no leaves
  switch (instruction.opcode()) {
    case Opcode::literal:
    case Opcode::extract:
    case Opcode::insert:
      return tuple_links(instruction, wanted, use);
    case Opcode::apply:
      if (const auto call = as<Apply>(instruction)) return call_links(call, solving, wanted, use);
      break;
    case Opcode::push:
    case Opcode::peek:
    case Opcode::pop:
      return stack_links(instruction, use);
    default:
      break;
  }
  if (instruction.is(Trait::terminator)) return control_links(instruction, use);
  // The first leaf of a tuple (topk) has the derivative, and the others are integers.
  const auto& operands = instruction.operands();
  for (std::size_t leaf = 0; leaf < wanted.size(); ++leaf)
    for (std::size_t i = 0; wanted[leaf] && i < operands.size(); ++i) {
      const Type& type = operands[i]->type();
      if (type.kind() == Type::Kind::function || is_address(type)) continue;  // has no derivative
      Edge edge = leaf == 0 ? edge_(instruction, i) : Edge::step;
      // A comparison of bits is a step.
      const bool is_comparison = instruction.type().is_tensor() && is_boolean(instruction.type().element());
      if (edge == Edge::step && !is_comparison && carries_bits(*operands[i], instruction))
        edge = Edge::unknown;
      use({operands[i], 0, &instruction, leaf, paths_of(edge)});
    }
}

bool Dependence::carries_bits(const Value& value, const Instruction& user) {
  if (!is_integral(value.type()) || user.block() == nullptr) return false;
  const Function& function = user.block()->function();
  const auto known = bits_.find(&function);
  if (known != bits_.end()) return known->second.contains(&value);
  return (bits_[&function] = values_with_bits(function)).contains(&value);
}

void Dependence::tuple_links(const Instruction& instruction, const std::vector<bool>& wanted,
                             const Use& use) {
  const auto& operands = instruction.operands();
  const auto element = [&](std::size_t operand, std::size_t first_inner, std::size_t first_outer,
                           std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      if (wanted[first_outer + i])
        use({operands[operand], first_inner + i, &instruction, first_outer + i, paths_of(Edge::smooth)});
  };
  if (const auto extract = as<Extract>(instruction)) {
    element(0, leaf_offset(extract.aggregate()->type().components(), extract.position()), 0, wanted.size());
  } else if (const auto insert = as<Insert>(instruction)) {
    const std::size_t first = leaf_offset(instruction.type().components(), insert.position());
    const std::size_t count = leaf_count(insert.element()->type());
    element(0, 0, first, count);
    element(1, 0, 0, first);
    element(1, first + count, first + count, wanted.size() - first - count);
  } else {
    std::size_t at = 0;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const std::size_t count = leaf_count(operands[i]->type());
      element(i, 0, at, count);
      if (!instruction.type().is_tensor()) at += count;
    }
  }
}

/// A pushed value is a leaf of the stack, and a popped or peeked one shows it.
void Dependence::stack_links(const Instruction& instruction, const Use& use) {
  const bool pushes = instruction.opcode() == Opcode::push;
  const Value *value = pushes ? instruction.operand(0) : &instruction, *stack = instruction.operands().back();
  const bool known = stack_record(*stack).has_value();
  const std::size_t count = leaf_count(value->type());
  for (std::size_t leaf = 0; leaf < count; ++leaf)
    if (known)
      use({pushes ? value : stack, leaf, pushes ? stack : value, leaf, paths_of(Edge::smooth)});
    else if (pushes)
      use({value, leaf, nullptr, 0, paths_of(Edge::unknown)});
}

void Dependence::control_links(const Instruction& instruction, const Use& use) {
  for (std::size_t i = 0; i < instruction.successors().size(); ++i) {
    const auto passed = instruction.passed(i);
    const auto& arguments = instruction.successors()[i].block->arguments();
    for (std::size_t k = 0; k < passed.size(); ++k)
      for (std::size_t leaf = 0; leaf < leaf_count(passed[k]->type()); ++leaf)
        use({passed[k], leaf, arguments[k].get(), leaf, paths_of(Edge::smooth)});
  }
  if (instruction.successors().empty()) return;
  for (const Value* decides : instruction.own_operands())
    for (std::size_t leaf = 0; leaf < leaf_count(decides->type()); ++leaf)
      use({decides, leaf, nullptr, 0, paths_of(Edge::step)});
}

void Dependence::call_links(const Apply& call, bool solving, const std::vector<bool>& wanted,
                            const Use& use) {
  if (has_effect(call.instruction()))  // the callee may push what is popped elsewhere
    for (const Value* argument : call.arguments())
      for (std::size_t leaf = 0; leaf < leaf_count(argument->type()); ++leaf)
        use({argument, leaf, nullptr, 0, paths_of(Edge::unknown)});
  for (std::size_t result = 0; result < wanted.size(); ++result) {
    if (!wanted[result]) continue;
    const std::vector<Paths>& paths =
        solving ? entry({call.callee(), result}).paths : of_result(*call.callee(), result);
    std::size_t at = 0;
    for (const Value* argument : call.arguments()) {
      const std::size_t count = leaf_count(argument->type());
      for (std::size_t leaf = 0; leaf < count; ++leaf, ++at)
        if (paths[at] != 0) use({argument, leaf, &call.instruction(), result, paths[at]});
    }
  }
}

}  // namespace dlvm
