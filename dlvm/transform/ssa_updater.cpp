#include "dlvm/transform/ssa_updater.h"

#include <algorithm>

#include "dlvm/transform/leaf_values.h"

namespace dlvm {

Value* SsaUpdater::at_end(BasicBlock* block) {
  const auto found = at_end_.find(block);
  return found != at_end_.end() ? found->second : find(block);
}

/// Finds the value at the beginning of the block: that of the closest dominator where definitions meet, or
/// that defines it.
Value* SsaUpdater::find(BasicBlock* block) {
  std::vector<BasicBlock*> chain;
  Value* value = nullptr;
  while (value == nullptr) {
    chain.push_back(block);
    BasicBlock* above = frontiers_.dominators().immediate(block);
    if (const auto known = at_begin_.find(block); known != at_begin_.end()) {
      value = known->second;
    } else if (joins_->contains(block)) {
      value = block->add_argument(type_, name_);
      open_.push_back(block);
    } else if (above == nullptr) {
      value = default_value(block->function(), type_);
    } else if (const auto defined = at_end_.find(above); defined != at_end_.end()) {
      value = defined->second;
    } else {
      block = above;
    }
  }
  for (const BasicBlock* each : chain) at_begin_[each] = value;
  return value;
}

Value* SsaUpdater::at_begin(BasicBlock* block) {
  if (!joins_) {
    std::vector<const BasicBlock*> defining;
    for (const auto& [defines, value] : at_end_) defining.push_back(defines);
    joins_ = frontiers_.iterated(std::move(defining));
  }
  Value* value = find(block);
  while (!open_.empty()) {
    const BasicBlock* join = open_.back();
    open_.pop_back();
    for (const BlockEdge& edge : frontiers_.flow().predecessors(join))
      edge.terminator->add_passed(edge.successor, at_end(edge.from()));
  }
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

bool restore(Value& value, const DominanceFrontiers& frontiers) {
  const std::vector<Instruction*> lost = lost_users(value, frontiers.dominators());
  if (lost.empty()) return false;
  SsaUpdater variable(frontiers, value.type(), value.name());
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
  const DominanceFrontiers frontiers(flow);
  bool changed = false;
  for (BasicBlock* block : flow.order()) {
    const std::size_t arguments = block->arguments().size();
    for (std::size_t a = 0; a < arguments; ++a)
      changed = restore(*block->arguments()[a], frontiers) || changed;
    for (const auto& instruction : block->instructions())
      changed = restore(*instruction, frontiers) || changed;
  }
  return changed;
}

}  // namespace dlvm
