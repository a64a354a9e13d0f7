#include "dlvm/analysis/dominators.h"

#include <cstdint>

namespace dlvm {
namespace {

constexpr std::size_t none = SIZE_MAX;

/// The closest common dominator of two blocks, which are given by their positions in the order; `none` if
/// they have none, because they are below different roots.
std::size_t common(std::size_t a, std::size_t b, const std::vector<std::size_t>& parents) {
  while (a != b) {
    std::size_t& later = a > b ? a : b;
    if (parents[later] == later) return none;
    later = parents[later];
  }
  return a;
}

/// The immediate dominators by positions in the order; a root is its own.
std::vector<std::size_t> immediate_dominators(const ControlFlow& flow) {
  const auto& order = flow.order();
  std::vector<std::size_t> parents(order.size(), none);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const bool root = flow.is_root(order[i]);
      std::size_t parent = root ? i : none;
      for (const BlockEdge& edge : flow.predecessors(order[i])) {
        const std::size_t from = flow.position(edge.from());
        // What the entry does not reach has no say in who dominates what it reaches.
        if (root || from == i || parents[from] == none ||
            flow.is_reachable(order[i]) != flow.is_reachable(edge.from()))
          continue;
        parent = parent == none ? from : common(parent, from, parents);
        if (parent == none) break;
      }
      if (parent == none) parent = i;  // below several roots
      changed = changed || parents[i] != parent;
      parents[i] = parent;
    }
  }
  return parents;
}

}  // namespace

DominatorTree::DominatorTree(const ControlFlow& flow) {
  const auto& order = flow.order();
  const std::vector<std::size_t> parents = immediate_dominators(flow);
  for (BasicBlock* block : order) nodes_[block];
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (parents[i] == i) {
      roots_.push_back(order[i]);
      continue;
    }
    nodes_[order[i]].parent = order[parents[i]];
    nodes_[order[parents[i]]].children.push_back(order[i]);
  }
  std::size_t time = 0;
  for (BasicBlock* root : roots_) number(root, time);
}

void DominatorTree::number(BasicBlock* root, std::size_t& time) {
  std::vector<std::pair<Node*, std::size_t>> path{{&nodes_.at(root), 0}};
  path.back().first->first = time++;
  while (!path.empty()) {
    auto& [node, next] = path.back();
    if (next == node->children.size()) {
      node->last = time++;
      path.pop_back();
      continue;
    }
    Node& child = nodes_.at(node->children[next++]);
    child.first = time++;
    path.emplace_back(&child, 0);
  }
}

bool DominatorTree::dominates(const BasicBlock* dominator, const BasicBlock* block) const {
  const Node &above = nodes_.at(dominator), &below = nodes_.at(block);
  return above.first <= below.first && below.last <= above.last;
}

BasicBlock* defining_block(const Value* value) {
  if (const Argument* argument = as_argument(value)) return argument->block();
  const Instruction* instruction = as_instruction(value);
  return instruction != nullptr ? instruction->block() : nullptr;
}

}  // namespace dlvm
