#include "dlvm/analysis/effects.h"

#include <algorithm>

#include "dlvm/analysis/bounds.h"
#include "dlvm/analysis/call_graph.h"
#include "dlvm/analysis/control_flow.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

bool is_bounds(const CheckIndex& check, const Extent& first, const Extent& end) {
  return check.first() == first && check.end() == end;
}

/// Whether the index is in [0, end) by how it was made: a check of just that, or a check from -end with end
/// added to what is negative.
bool is_checked(Value* index, const Extent& end) {
  if (const auto check = as<CheckIndex>(index)) return is_bounds(check, 0, end);
  const Instruction* chosen = match(index, Opcode::select);
  if (chosen == nullptr) return false;
  const auto check = as<CheckIndex>(chosen->operand(1));
  const Instruction* moved = match(chosen->operand(0), Opcode::add);
  const Instruction* negative = match(chosen->operand(2), Opcode::lessThan);
  if (!check || moved == nullptr || negative == nullptr || !end.constant()) return false;
  const Literal* zero = as_literal(negative->operand(1));
  const Literal* length = as_literal(moved->operand(1));
  return is_bounds(check, Extent(-1) * end, end) && moved->operand(0) == &check.instruction() &&
         negative->operand(0) == &check.instruction() && zero != nullptr && zero->splat() == 0.0 &&
         length != nullptr && length->splat() == static_cast<double>(*end.constant());
}

template <typename View>
bool indices_are_checked(const View& view) {
  const Shape& shape = view.input()->type().shape();
  for (std::size_t i = 0; i < view.indices().size(); ++i)
    if (!is_checked(view.indices()[i], shape[static_cast<std::size_t>(view.axes()[i])])) return false;
  return true;
}
bool indices_are_checked(const Instruction& instruction) {
  if (const auto gather = as<Gather>(instruction)) return indices_are_checked(gather);
  const auto scatter = as<Scatter>(instruction);
  return scatter && indices_are_checked(scatter);
}

/// Whether each loop of the body has a bound.
bool surely_ends(const Function& function) {
  const ControlFlow flow(function);
  if (!flow.has_cycle()) return true;
  const DominatorTree dominators(flow);
  const LoopNest loops(flow, dominators);
  Bounds bounds(flow, dominators, loops);
  return !loops.is_irreducible() && std::ranges::all_of(loops.loops(), [&](const auto& loop) {
    return bounds.rounds(*loop).has_value();
  });
}

/// Whether values of the type refer to what can change.
bool holds_state(const Type& type, std::unordered_set<const TypeDeclaration*>& seen) {
  if (type.is_stack() || type.is_pointer() || type.is_box()) return true;
  const auto holds = [&](const Type& part) { return holds_state(part, seen); };
  if (!type.is_structure() && !type.is_enumeration()) return std::ranges::any_of(type.parts(), holds);
  return seen.insert(&type.declaration()).second &&
         std::ranges::any_of(type.declaration().members,
                             [&](const auto& member) { return std::ranges::any_of(member.types, holds); });
}
bool holds_state(const Type& type) {
  std::unordered_set<const TypeDeclaration*> seen;
  return holds_state(type, seen);
}

}  // namespace

bool has_effect(const Instruction& instruction) {
  if (as<ApplyValue>(instruction)) return true;
  if (instruction.opcode() != Opcode::apply) return instruction.is(Trait::effect);
  return holds_state(instruction.type()) ||
         std::any_of(instruction.operands().begin(), instruction.operands().end(),
                     [](const Value* operand) { return holds_state(operand->type()); });
}

bool Effects::may_fail(const Function& function) const {
  if (module_ == nullptr) return true;
  if (!looked_) find_failing();
  return failing_.contains(&function);
}

/// Callees come before their callers, so that `fails` finds what it asks for.
void Effects::find_failing() const {
  looked_ = true;
  for (const Component& component : call_components(*module_))
    for (const Function* function : component.functions)
      if (component.recursive || fails(*function)) failing_.insert(function);
}

bool Effects::fails(const Function& function) const {
  if (!function.has_body() || !function.requirements.empty()) return true;
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions())
      if (may_fail(*instruction)) return true;
  return !surely_ends(function);
}

/// Without a module, one that calls nothing is looked at.
bool Effects::combinator_may_fail(const Function& combinator) const {
  return module_ != nullptr ? may_fail(combinator) : !references(combinator).empty() || fails(combinator);
}

bool Effects::may_fail(const Instruction& instruction) const {
  if (const auto call = as<Apply>(instruction)) return may_fail(*call.callee());
  if (std::ranges::any_of(references(instruction),
                          [&](const Function* combinator) { return combinator_may_fail(*combinator); }))
    return true;
  return has_effect(instruction) || (instruction.is(Trait::may_fail) && !indices_are_checked(instruction));
}

bool MemoryEffects::touches(const Instruction& instruction) const {
  if (has_effect(instruction)) return true;
  const auto called = references(instruction);
  if (called.empty()) return false;
  if (!looked_) find_touching();
  return std::ranges::any_of(called, [&](const Function* each) { return touching_.contains(each); });
}

/// Callees come before their callers; functions that reach each other touch memory together.
void MemoryEffects::find_touching() const {
  looked_ = true;
  for (const Component& component : call_components(module_))
    if (std::ranges::any_of(component.functions, [&](const Function* each) { return touches(*each); }))
      touching_.insert(component.functions.begin(), component.functions.end());
}

/// A derivative that is only declared runs what it is the derivative of.
bool MemoryEffects::touches(const Function& function) const {
  if (function.gradient && touching_.contains(function.gradient->of)) return true;
  return std::ranges::any_of(function.blocks(), [&](const auto& block) {
    return std::ranges::any_of(block->instructions(), [&](const auto& each) { return touches(*each); });
  });
}

}  // namespace dlvm
