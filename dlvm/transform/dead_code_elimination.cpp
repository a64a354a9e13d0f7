#include "dlvm/transform/dead_code_elimination.h"

#include <iterator>
#include <unordered_set>

#include "dlvm/analysis/call_graph.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

using Failing = std::unordered_set<const Function*>;

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

bool may_fail(const Instruction& instruction, const Failing* failing) {
  if (const auto call = as<Apply>(instruction)) return failing == nullptr || failing->contains(call.callee());
  return instruction.is(Trait::may_fail) && !indices_are_checked(instruction);
}

/// Last first, so that what only dead instructions use is dead when it is reached.
bool remove_dead(Function& function, const Failing* failing) {
  bool changed = false;
  for (const auto& block : function.blocks()) {
    const auto& instructions = block->instructions();
    for (auto at = instructions.end(); at != instructions.begin();) {
      Instruction* instruction = std::prev(at)->get();
      if (!instruction->users().empty() || instruction->is(Trait::terminator) ||
          may_fail(*instruction, failing)) {
        --at;
      } else {
        block->erase(instruction);
        changed = true;
      }
    }
  }
  return changed;
}

/// The functions that may stop with an error: they hold what may, call what may, are external, or do not end.
Failing failing_functions(const Module& module) {
  Failing failing;
  for (const Component& component : call_components(module))
    for (const Function* function : component.functions) {
      bool fails = component.recursive || !function->has_body() || !function->requirements.empty();
      for (const auto& block : function->blocks())
        for (const auto& instruction : block->instructions())
          fails = fails || may_fail(*instruction, &failing);
      if (fails) failing.insert(function);
    }
  return failing;
}

bool remove_unreachable(Module& module) {
  if (module.entries.empty()) return false;
  std::vector<const Function*> open;
  for (const EntryPoint& entry : module.entries) open.push_back(module.function(entry.function));
  for (const StoredTensor& tensor : module.tensors) open.push_back(module.function(tensor.initializer));
  std::unordered_set<const Function*> reached;
  while (!open.empty()) {
    const Function* function = open.back();
    open.pop_back();
    if (function == nullptr || !reached.insert(function).second) continue;
    for (const Function* next : references(*function)) open.push_back(next);
  }
  std::unordered_set<const Function*> dead;
  for (const auto& function : module.functions()) {
    if (reached.contains(function.get())) continue;
    function->clear_body();
    dead.insert(function.get());
  }
  module.erase_functions(dead);
  return !dead.empty();
}

}  // namespace

bool remove_dead_instructions(Function& function) { return remove_dead(function, nullptr); }

bool dead_code_elimination(Module& module) {
  bool changed = remove_unreachable(module);
  const Failing failing = failing_functions(module);
  for (const auto& function : module.functions()) changed = remove_dead(*function, &failing) || changed;
  return changed;
}

}  // namespace dlvm
