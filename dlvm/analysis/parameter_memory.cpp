#include "dlvm/analysis/parameter_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_set>
#include <vector>

#include "dlvm/analysis/call_graph.h"
#include "dlvm/analysis/leaves.h"
#include "dlvm/analysis/pointer_uses.h"
#include "dlvm/analysis/type_parts.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

/// Whether an address of the type may lead to elements of one of these types.
bool may_lead_to(const Type& type, const std::set<ElementType>& elements) {
  return any_part_of(type, is_address) && any_part_of(type, [&](const Type& part) {
           return part.is_tensor() && elements.contains(part.element());
         });
}

std::set<ElementType> elements_of(const Type& type) {
  std::set<ElementType> elements;
  for (const Type& tensor : leaves(type)) elements.insert(tensor.element());
  return elements;
}

/// Whether the function may go from one value to others of an allocation that it has not made.
bool moves(const Function& function) {
  return std::ranges::any_of(function.blocks(), [](const auto& block) {
    return std::ranges::any_of(block->instructions(), [](const auto& each) {
      const bool is_move = each->opcode() == Opcode::elementPointer && first_value(*each) != nullptr;
      const Instruction* made = is_move ? as_instruction(each->operand(0)) : nullptr;
      const bool is_own = made != nullptr &&
                          (made->opcode() == Opcode::allocateStack || made->opcode() == Opcode::allocateHeap);
      return (is_move && !is_own) || each->opcode() == Opcode::copy;
    });
  });
}

std::optional<std::string> used_variable(const Function& function, const std::set<ElementType>& elements) {
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions())
      for (const Value* operand : instruction->operands()) {
        const Literal* literal = as_literal(operand);
        if (literal != nullptr && literal->global() != nullptr && may_lead_to(literal->type(), elements))
          return literal->global()->name;
      }
  return std::nullopt;
}

/// Says which other address that the function gets may lead to such elements; empty where there is none.
std::string other_address(const Function& function, const Argument& but,
                          const std::set<ElementType>& elements) {
  const auto may = [&](const Type& type) {
    return any_part_of(type, [](const Type& part) { return part.is_stack(); }) || may_lead_to(type, elements);
  };
  for (const auto& argument : function.entry().arguments())
    if (argument.get() != &but && may(argument->type()))
      return argument->name().empty() ? "another parameter" : "%" + argument->name();
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions())
      if (const auto call = as<Apply>(*instruction); call && may(call.type()))
        return "what @" + call.callee()->name() + " returns";
  return "";
}

/// Says what else may lead to what the pointer leads to, in words that follow the parameter; empty where
/// nothing does.
std::string other_way(const Function& function, const Argument& parameter) {
  const std::set<ElementType> elements = elements_of(parameter.type().pointee());
  const auto also = [](const std::string& what) { return what + " may lead to the same memory"; };
  if (const std::string other = other_address(function, parameter, elements); !other.empty())
    return "as which " + also(other);
  const auto reached = reached_functions({&function});
  std::vector<const Function*> in_order(reached.begin(), reached.end());
  std::ranges::sort(in_order, {}, &Function::name);
  for (const Function* each : in_order) {
    if (!each->has_body() && !each->gradient) return fmt::format("of which @{} may know", each->name());
    if (const auto variable = used_variable(*each, elements)) return "as which " + also("@" + *variable);
  }
  return "";
}

}  // namespace

std::string why_not_copied(const Function& function, Argument& parameter) {
  const Type& pointee = parameter.type().pointee();
  if (!is_made_of_tensors(pointee)) return fmt::format("which leads to values of type {}", pointee.text());
  const PointerUses uses = pointer_uses(parameter);
  const auto call = uses.escape == nullptr ? Apply() : as<Apply>(*uses.escape);
  if (call) return fmt::format("which is passed to @{}", call.callee()->name());
  if (uses.escape != nullptr && uses.escape->opcode() == Opcode::return_) return "which is returned";
  if (!uses.ends.empty()) return "whose memory the function ends";
  if (moves(function)) return "from which the function may go to other values";
  return other_way(function, parameter);
}

namespace {

/// Whether control goes from the one instruction to the other.
bool leads_to(const Instruction& from, const Instruction& to) {
  const auto& instructions = from.block()->instructions();
  if (from.block() == to.block()) {
    const auto behind = std::ranges::find(instructions, &from, [](const auto& each) { return each.get(); });
    if (std::any_of(behind, instructions.end(), [&](const auto& each) { return each.get() == &to; }))
      return true;
  }
  std::unordered_set<const BasicBlock*> known;
  std::vector<const BasicBlock*> open{from.block()};
  while (!open.empty()) {
    const Instruction* end = open.back()->terminator();
    open.pop_back();
    if (end == nullptr) continue;
    for (const Successor& next : end->successors()) {
      if (next.block == to.block()) return true;
      if (known.insert(next.block).second) open.push_back(next.block);
    }
  }
  return false;
}

/// Whether the function loads the value where it begins, before it changes any memory.
bool is_loaded_where_it_begins(const Argument& parameter) {
  bool changed = false;
  std::size_t loads = 0;
  for (const auto& instruction : parameter.block()->instructions()) {
    const Opcode opcode = instruction->opcode();
    if (opcode == Opcode::load && instruction->operand(0) == &parameter) {
      if (changed) return false;
      ++loads;
    }
    changed = changed || opcode == Opcode::store || opcode == Opcode::copy || opcode == Opcode::apply;
  }
  return std::ranges::count(parameter.users(), Opcode::load, &Instruction::opcode) ==
         static_cast<std::ptrdiff_t>(loads);
}

/// Whether the function loads the value before it changes any memory, at least as far as the memory of the
/// pointer goes: it loads it where it begins, or nothing else leads there.
bool is_loaded_first(const Argument& parameter) {
  std::vector<const Instruction*> loads, stores;
  for (const Instruction* user : parameter.users()) {
    const bool is_store = user->opcode() == Opcode::store && user->operand(0) != &parameter;
    if (!is_store && user->opcode() != Opcode::load) return false;
    (is_store ? stores : loads).push_back(user);
  }
  if (is_loaded_where_it_begins(parameter)) return true;
  const bool is_changed_before = std::ranges::any_of(stores, [&](const Instruction* store) {
    return std::ranges::any_of(loads, [&](const Instruction* load) { return leads_to(*store, *load); });
  });
  const Function& function = parameter.block()->function();
  return !is_changed_before && !moves(function) && other_way(function, parameter).empty();
}

/// Whether the function changes memory with such elements, or memory of which that is not known.
bool changes_memory(const Function& function, const std::set<ElementType>& elements) {
  if (!function.has_body()) return !function.gradient;
  return std::ranges::any_of(function.blocks(), [&](const auto& block) {
    return std::ranges::any_of(block->instructions(), [&](const auto& each) {
      const Opcode opcode = each->opcode();
      if (opcode == Opcode::store || opcode == Opcode::copy)
        return may_lead_to(each->operand(1)->type(), elements);
      return opcode == Opcode::deallocate || opcode == Opcode::release;
    });
  });
}

bool is_only_loaded(Argument& parameter) {
  const PointerUses uses = pointer_uses(parameter);
  if (uses.escape != nullptr || !uses.stores.empty() || !uses.copies.empty() || !uses.ends.empty())
    return false;
  const std::set<ElementType> elements = elements_of(parameter.type().pointee());
  return std::ranges::none_of(reached_functions({&parameter.block()->function()}),
                              [&](const Function* function) { return changes_memory(*function, elements); });
}

}  // namespace

bool leads_to_constants(Argument& parameter) {
  return parameter.type().is_pointer() && is_made_of_tensors(parameter.type().pointee()) &&
         (is_loaded_first(parameter) || is_only_loaded(parameter));
}

Argument* parameter_of(Value& pointer) {
  Value* from = &pointer;
  while (Instruction* made = match(from, Opcode::elementPointer)) from = made->operand(0);
  Argument* argument = as_argument(from);
  const bool is_parameter = argument != nullptr && argument->type().is_pointer() &&
                            argument->block() == &argument->block()->function().entry();
  return is_parameter ? argument : nullptr;
}

}  // namespace dlvm
