#include "dlvm/analysis/loops.h"

#include <algorithm>

namespace dlvm {

LoopNest::LoopNest(const ControlFlow& flow, const DominatorTree& dominators) {
  // A header dominates its loop, so headers in the order of the graph are found from the outside in.
  for (BasicBlock* block : flow.order()) {
    if (!flow.is_reachable(block)) break;
    auto loop = std::make_unique<Loop>();
    loop->header = block;
    for (const BlockEdge& edge : flow.predecessors(block)) {
      if (!flow.is_reachable(edge.from())) continue;
      const bool back = dominators.dominates(block, edge.from());
      // An edge that goes backwards in a reverse post order closes a cycle; in a reducible graph its target
      // dominates its source.
      irreducible_ = irreducible_ || (!back && flow.position(edge.from()) >= flow.position(block));
      (back ? loop->latches : loop->entries).push_back(edge);
    }
    if (loop->latches.empty()) continue;
    fill(*loop, flow);
    loop->parent = innermost(block);
    if (loop->parent != nullptr) loop->depth = loop->parent->depth + 1;
    for (const BasicBlock* member : loop->blocks) innermost_[member] = loop.get();
    loops_.push_back(std::move(loop));
  }
}

void LoopNest::fill(Loop& loop, const ControlFlow& flow) {
  loop.members.insert(loop.header);
  loop.blocks.push_back(loop.header);
  std::vector<BasicBlock*> open;
  for (const BlockEdge& latch : loop.latches) open.push_back(latch.from());
  while (!open.empty()) {
    BasicBlock* block = open.back();
    open.pop_back();
    if (!flow.is_reachable(block) || !loop.members.insert(block).second) continue;
    loop.blocks.push_back(block);
    for (const BlockEdge& edge : flow.predecessors(block)) open.push_back(edge.from());
  }
  std::sort(loop.blocks.begin(), loop.blocks.end(),
            [&](const BasicBlock* a, const BasicBlock* b) { return flow.position(a) < flow.position(b); });
  for (BasicBlock* block : loop.blocks) {
    Instruction* end = block->terminator();
    for (std::size_t i = 0; end != nullptr && i < end->successors().size(); ++i)
      if (!loop.contains(end->successors()[i].block)) loop.exits.push_back({end, i});
  }
}

Loop* LoopNest::innermost(const BasicBlock* block) const {
  const auto found = innermost_.find(block);
  return found == innermost_.end() ? nullptr : found->second;
}

}  // namespace dlvm
