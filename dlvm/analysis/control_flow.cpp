#include "dlvm/analysis/control_flow.h"

namespace dlvm {

ControlFlow::ControlFlow(const Function& function) {
  std::vector<BasicBlock*> blocks;
  std::unordered_map<const BasicBlock*, std::size_t> numbers;
  blocks.reserve(function.blocks().size());
  numbers.reserve(function.blocks().size());
  predecessors_.reserve(function.blocks().size());
  positions_.reserve(function.blocks().size());
  for (const auto& block : function.blocks()) {
    numbers[block.get()] = blocks.size();
    predecessors_[block.get()];
    blocks.push_back(block.get());
  }
  SuccessorNumbers successors(blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    Instruction* end = blocks[i]->terminator();
    if (end == nullptr) continue;
    for (std::size_t k = 0; k < end->successors().size(); ++k) {
      const auto to = numbers.find(end->successors()[k].block);
      if (to == numbers.end()) continue;  // the verifier reports it
      successors[i].push_back(to->second);
      predecessors_[to->first].push_back({end, k});
    }
  }
  const BlockOrder found = block_order(successors);
  reachable_ = found.reachable;
  for (const std::size_t number : found.order) {
    positions_[blocks[number]] = order_.size();
    order_.push_back(blocks[number]);
  }
  for (const std::size_t number : found.roots) roots_.insert(blocks[number]);
}

std::unordered_set<const BasicBlock*> ControlFlow::unreachable() const {
  return {order_.begin() + static_cast<std::ptrdiff_t>(reachable_), order_.end()};
}

bool ControlFlow::has_cycle() const {
  // An edge that does not go forwards in reverse post order closes a cycle.
  for (std::size_t i = 0; i < reachable_; ++i)
    for (const BlockEdge& edge : predecessors(order_[i]))
      if (is_reachable(edge.from()) && position(edge.from()) >= i) return true;
  return false;
}

bool remove_unreachable_blocks(Function& function) {
  if (function.blocks().size() < 2) return false;
  const auto dead = ControlFlow(function).unreachable();
  function.erase_blocks(dead);
  return !dead.empty();
}

}  // namespace dlvm
