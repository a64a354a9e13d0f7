#include "dlvm/transform/ssa_updater.h"

#include <algorithm>

#include "dlvm/analysis/dominators.h"
#include "dlvm/transform/leaf_values.h"

namespace dlvm {

Value* SsaUpdater::at_end(BasicBlock* block) {
  const auto found = at_end_.find(block);
  return found != at_end_.end() ? found->second : at_begin(block);
}

Value* SsaUpdater::at_begin(BasicBlock* block) {
  // A chain of blocks without merges is followed without recursion.
  std::vector<BasicBlock*> chain;
  Value* value = nullptr;
  while (value == nullptr) {
    const auto& edges = flow_.predecessors(block);
    if (const auto found = at_begin_.find(block); found != at_begin_.end()) {
      value = found->second;
    } else if (edges.empty()) {
      value = at_begin_[block] = default_value(block->function(), type_);
    } else if (edges.size() > 1) {
      value = at_begin_[block] = block->add_argument(type_, name_);
      for (const BlockEdge& edge : edges) edge.terminator->add_passed(edge.successor, at_end(edge.from()));
    } else {
      chain.push_back(block);
      block = edges.front().from();
      if (const auto found = at_end_.find(block); found != at_end_.end()) value = found->second;
    }
  }
  for (const BasicBlock* each : chain) at_begin_[each] = value;
  return value;
}

namespace {

/// Returns the one value that is passed for an argument besides itself; null if there are several.
Value* only_value(const std::vector<BlockEdge>& edges, const Argument& argument) {
  Value* only = nullptr;
  for (const BlockEdge& edge : edges) {
    Value* value = edge.passed()[argument.index()];
    const auto* literal = as_literal(value);
    if (value == &argument || value == only) continue;
    if (only != nullptr || literal != nullptr) return nullptr;
    only = value;
  }
  return only;
}

bool remove_copied_arguments(const ControlFlow& flow, BasicBlock& block) {
  bool changed = false;
  const auto& edges = flow.predecessors(&block);
  if (std::ranges::any_of(edges, [](const BlockEdge& e) { return e.terminator->supplies_arguments(); }))
    return false;
  for (std::size_t a = block.arguments().size(); a-- > 0 && !edges.empty();) {
    Argument& argument = *block.arguments()[a];
    Value* value = only_value(edges, argument);
    if (value == nullptr) continue;
    replace_all_uses(argument, *value);
    for (const BlockEdge& edge : edges) edge.terminator->remove_passed(edge.successor, a);
    block.remove_argument(a);
    changed = true;
  }
  return changed;
}

/// The uses of a value that its definition does not dominate, as users.
std::vector<Instruction*> lost_users(const Value& value, const DominatorTree& dominators) {
  const BasicBlock* block = defining_block(&value);
  std::vector<Instruction*> lost;
  for (Instruction* user : value.users())
    if (!dominators.dominates(block, user->block()) && std::ranges::find(lost, user) == lost.end())
      lost.push_back(user);
  return lost;
}

bool restore(Value& value, const ControlFlow& flow, const DominatorTree& dominators) {
  const std::vector<Instruction*> lost = lost_users(value, dominators);
  if (lost.empty()) return false;
  SsaUpdater variable(flow, value.type(), value.name());
  variable.define(defining_block(&value), &value);
  for (Instruction* user : lost) {
    Value* here = variable.at_begin(user->block());
    for (std::size_t i = 0; i < user->operands().size(); ++i)
      if (user->operand(i) == &value) user->set_operand(i, here);
  }
  return true;
}

}  // namespace

bool remove_copied_arguments(Function& function) {
  const ControlFlow flow(function);
  bool changed = false;
  for (bool again = true; again;) {
    again = false;
    for (BasicBlock* block : flow.order()) again = remove_copied_arguments(flow, *block) || again;
    changed = changed || again;
  }
  return changed;
}

bool restore_dominance(Function& function) {
  const ControlFlow flow(function);
  const DominatorTree dominators(flow);
  bool changed = false;
  for (BasicBlock* block : flow.order()) {
    const std::size_t arguments = block->arguments().size();
    for (std::size_t a = 0; a < arguments; ++a)
      changed = restore(*block->arguments()[a], flow, dominators) || changed;
    for (const auto& instruction : block->instructions())
      changed = restore(*instruction, flow, dominators) || changed;
  }
  return changed;
}

}  // namespace dlvm
