#include "dlvm/analysis/dominance_frontiers.h"

namespace dlvm {

// A block where paths join is in the frontier of each predecessor, and of all that dominate the predecessor
// up to the block's own immediate dominator (Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm,
// 2001).
DominanceFrontiers::DominanceFrontiers(const ControlFlow& flow) : flow_(flow), dominators_(flow) {
  for (const BasicBlock* block : flow.order()) {
    const auto& edges = flow.predecessors(block);
    if (edges.size() < 2 || !flow.is_reachable(block)) continue;
    const BasicBlock* above = dominators_.immediate(block);
    for (const BlockEdge& edge : edges) {
      if (!flow.is_reachable(edge.from())) continue;
      for (const BasicBlock* at = edge.from(); at != above; at = dominators_.immediate(at)) {
        auto& frontier = frontiers_[at];
        if (frontier.empty() || frontier.back() != block) frontier.push_back(block);
      }
    }
  }
}

std::unordered_set<const BasicBlock*> DominanceFrontiers::iterated(
    std::vector<const BasicBlock*> blocks) const {
  std::unordered_set<const BasicBlock*> all;
  while (!blocks.empty()) {
    const auto found = frontiers_.find(blocks.back());
    blocks.pop_back();
    if (found == frontiers_.end()) continue;
    for (const BasicBlock* block : found->second)
      if (all.insert(block).second) blocks.push_back(block);
  }
  return all;
}

}  // namespace dlvm
