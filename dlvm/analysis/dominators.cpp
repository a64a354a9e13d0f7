#include "dlvm/analysis/dominators.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace dlvm {
namespace {

/// Finds immediate dominators in O(m log n) (Lengauer, Tarjan: A fast algorithm for finding dominators in a
/// flowgraph, 1979; the simple version). Vertices are numbered in the order of a depth-first search from a
/// vertex 0, from which edges go to all roots.
class LengauerTarjan {
 public:
  explicit LengauerTarjan(const ControlFlow& flow)
      : flow_(flow), count_(flow.order().size()), number_(count_), parent_(count_ + 1), vertex_(count_ + 1) {
    find_edges();
    search();
    compress_.assign(count_ + 1, none);
    label_ = numbers();
    semi_ = numbers();
    dominator_ = std::vector<std::size_t>(count_ + 1);
  }

  /// Returns the immediate dominator of each block, both by position in the order; a root is its own.
  std::vector<std::size_t> run() {
    std::vector<std::vector<std::size_t>> buckets(count_ + 1);
    for (std::size_t w = count_; w > 0; --w) {
      for (const std::size_t from : predecessors_[vertex_[w]])
        semi_[w] = std::min(semi_[w], semi_[best(number_[from])]);
      if (is_root_[vertex_[w]]) semi_[w] = 0;
      buckets[semi_[w]].push_back(w);
      compress_[w] = parent_[w];
      for (const std::size_t v : std::exchange(buckets[parent_[w]], {})) {
        const std::size_t u = best(v);
        dominator_[v] = semi_[u] < semi_[v] ? u : parent_[w];
      }
    }
    std::vector<std::size_t> result(count_);
    for (std::size_t w = 1; w <= count_; ++w) {
      if (dominator_[w] != semi_[w]) dominator_[w] = dominator_[dominator_[w]];
      result[vertex_[w]] = dominator_[w] == 0 ? vertex_[w] : vertex_[dominator_[w]];
    }
    return result;
  }

 private:
  static constexpr std::size_t none = SIZE_MAX;

  /// Blocks that the entry does not reach have no say in which block dominates those that it reaches.
  void find_edges() {
    const auto& order = flow_.order();
    predecessors_.resize(count_);
    successors_.resize(count_);
    for (std::size_t i = 0; i < count_; ++i) {
      is_root_.push_back(flow_.is_root(order[i]));
      for (const BlockEdge& edge : flow_.predecessors(order[i])) {
        if (is_root_[i] || flow_.is_reachable(order[i]) != flow_.is_reachable(edge.from())) continue;
        predecessors_[i].push_back(flow_.position(edge.from()));
        successors_[predecessors_[i].back()].push_back(i);
      }
    }
  }

  void search() {
    std::size_t next = 0;
    std::vector<std::size_t> seen(count_), path;
    const auto enter = [&](std::size_t block, std::size_t from) {
      number_[block] = ++next;
      vertex_[next] = block;
      parent_[next] = from;
      path.push_back(block);
    };
    for (std::size_t root = 0; root < count_; ++root) {
      if (!is_root_[root]) continue;
      enter(root, 0);
      while (!path.empty()) {
        const std::size_t at = path.back();
        if (seen[at] == successors_[at].size()) {
          path.pop_back();
        } else if (const std::size_t to = successors_[at][seen[at]++]; number_[to] == 0) {
          enter(to, number_[at]);
        }
      }
    }
  }

  std::vector<std::size_t> numbers() const {
    std::vector<std::size_t> result(count_ + 1);
    for (std::size_t i = 0; i <= count_; ++i) result[i] = i;
    return result;
  }

  /// The vertex with the least semidominator on the way up from `v` in the forest of those that are done.
  std::size_t best(std::size_t v) {
    std::vector<std::size_t> way;
    for (std::size_t u = v; compress_[u] != none && compress_[compress_[u]] != none; u = compress_[u])
      way.push_back(u);
    for (auto u = way.rbegin(); u != way.rend(); ++u) {
      const std::size_t above = compress_[*u];
      if (semi_[label_[above]] < semi_[label_[*u]]) label_[*u] = label_[above];
      compress_[*u] = compress_[above];
    }
    return label_[v];
  }

  const ControlFlow& flow_;
  const std::size_t count_;
  std::vector<std::vector<std::size_t>> predecessors_, successors_;  ///< by position
  std::vector<bool> is_root_;
  std::vector<std::size_t> number_, parent_, vertex_, compress_, label_, semi_, dominator_;
};

}  // namespace

DominatorTree::DominatorTree(const ControlFlow& flow) {
  const auto& order = flow.order();
  const std::vector<std::size_t> parents = LengauerTarjan(flow).run();
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
