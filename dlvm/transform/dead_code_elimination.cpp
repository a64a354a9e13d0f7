#include "dlvm/transform/dead_code_elimination.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "dlvm/analysis/call_graph.h"
#include "dlvm/analysis/control_flow.h"
#include "dlvm/analysis/effects.h"
#include "dlvm/transform/dead_loops.h"

namespace dlvm {
namespace {

/// The values of a body that something needs: what ends a block or may fail, and, in turn, what is needed to
/// compute it. An argument of a block needs what is passed to it.
class LiveValues {
 public:
  LiveValues(const Function& function, const Effects& effects) : flow_(function) {
    for (const auto& block : function.blocks())
      for (const auto& instruction : block->instructions()) {
        if (instruction->is(Trait::terminator)) {
          for (const Value* operand : instruction->own_operands()) add(operand);
        } else if (effects.may_fail(*instruction)) {
          add(instruction.get());
        }
      }
    for (const auto& block : function.blocks())
      for (const auto& argument : block->arguments())
        if (block.get() == &function.entry() || is_payload(*argument)) add(argument.get());
    follow();
  }

  bool contains(const Value* value) const { return live_.contains(value); }
  const ControlFlow& flow() const { return flow_; }

 private:
  /// Whether the argument is there because of the instruction that goes to its block.
  bool is_payload(const Argument& argument) const {
    return std::ranges::any_of(flow_.predecessors(argument.block()),
                               [](const BlockEdge& edge) { return edge.terminator->supplies_arguments(); });
  }

  void add(const Value* value) {
    if (as_literal(value) == nullptr && live_.insert(value).second) open_.push_back(value);
  }

  void follow() {
    while (!open_.empty()) {
      const Value* value = open_.back();
      open_.pop_back();
      if (const Instruction* instruction = as_instruction(value))
        for (const Value* operand : instruction->operands()) add(operand);
      if (const Argument* argument = as_argument(value); argument != nullptr)
        for (const BlockEdge& edge : flow_.predecessors(argument->block()))
          if (!edge.terminator->supplies_arguments()) add(edge.passed()[argument->index()]);
    }
  }

  ControlFlow flow_;
  std::unordered_set<const Value*> live_;
  std::vector<const Value*> open_;
};

/// Arguments of blocks that nothing needs, with what is passed to them.
bool remove_dead_arguments(Function& function, const LiveValues& live) {
  std::vector<Argument*> dead;
  for (const auto& block : function.blocks())
    for (auto argument = block->arguments().rbegin(); argument != block->arguments().rend(); ++argument)
      if (!live.contains(argument->get())) dead.push_back(argument->get());
  // First what is passed to them, because they may be passed to each other; the last of a block first.
  for (const Argument* argument : dead)
    for (const BlockEdge& edge : live.flow().predecessors(argument->block()))
      edge.terminator->remove_passed(edge.successor, argument->index());
  for (const Argument* argument : dead) argument->block()->remove_argument(argument->index());
  return !dead.empty();
}

/// Last first, so that what only dead instructions use is dead when it is reached.
bool remove_dead(BasicBlock& block, const Effects& effects) {
  bool changed = false;
  const auto& instructions = block.instructions();
  for (auto at = instructions.end(); at != instructions.begin();) {
    Instruction* instruction = std::prev(at)->get();
    if (!instruction->users().empty() || instruction->is(Trait::terminator) ||
        effects.may_fail(*instruction)) {
      --at;
    } else {
      block.erase(instruction);
      changed = true;
    }
  }
  return changed;
}

bool remove_dead_values(Function& function, const Effects& effects) {
  if (!function.has_body()) return false;
  if (function.blocks().size() == 1) return remove_dead(function.entry(), effects);
  const LiveValues live(function, effects);
  std::vector<Instruction*> dead;
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions())
      if (!instruction->is(Trait::terminator) && !live.contains(instruction.get()))
        dead.push_back(instruction.get());
  for (Instruction* instruction : dead) instruction->drop_operands();
  const bool changed = remove_dead_arguments(function, live);
  for (Instruction* instruction : dead) instruction->block()->erase(instruction);
  return changed || !dead.empty();
}

/// First what only goes round a loop, then the loop, then what only that used.
bool remove_dead(Function& function, const Effects& effects) {
  bool changed = remove_dead_values(function, effects);
  while (remove_dead_loops(function, effects)) {
    changed = true;
    remove_dead_values(function, effects);
  }
  return changed;
}

}  // namespace

bool remove_unreachable_functions(Module& module) {
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

bool remove_dead_instructions(Function& function) { return remove_dead(function, Effects()); }

bool dead_code_elimination(Module& module) {
  bool changed = remove_unreachable_functions(module);
  const Effects effects(module);
  bool removed = false;
  for (const auto& function : module.functions()) removed = remove_dead(*function, effects) || removed;
  if (removed) remove_unreachable_functions(module);  // what only dead instructions referred to
  return changed || removed;
}

}  // namespace dlvm
