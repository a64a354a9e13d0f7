#include "codegen/target/gpu/shortest_exits.h"

#include <deque>
#include <map>
#include <ranges>
#include <string>
#include <vector>

namespace codegen::target::gpu {
namespace {

using kernel::Branch;
using kernel::Scope;

/// The graph of a program's branches and loops, and the number of conditions from each to the end. It grows
/// linearly with the program, whatever is nested.
class Graph {
 public:
  explicit Graph(const kernel::Program& program) : nodes_(1) { build(program.body, end); }

  ShortestExits run() {
    measure();
    ShortestExits exits;
    for (const auto& [branch, ways] : branches_)
      exits.takes_then[branch] = nodes_[ways.first].distance <= nodes_[ways.second].distance;
    for (const auto& [loop, node] : loops_)
      if (nodes_[node].distance == endless) exits.endless.insert(loop);
    return exits;
  }

 private:
  using NodeId = std::size_t;
  static constexpr NodeId end = 0;
  static constexpr std::size_t endless = SIZE_MAX;
  struct Node {
    bool is_branch = false;
    std::vector<NodeId> from;  ///< the nodes that go to it
    std::size_t distance = endless;
  };

  NodeId add(bool is_branch) {
    nodes_.push_back({.is_branch = is_branch, .from = {}});
    return nodes_.size() - 1;
  }

  /// Returns the first node of the sequence; `after` follows it.
  NodeId build(const kernel::Sequence& sequence, NodeId after) {
    for (const kernel::Statement& statement : sequence | std::views::reverse)
      after = std::visit([&](const auto& node) { return build(node, after); }, statement.node);
    return after;
  }
  static NodeId build(const auto&, NodeId after) { return after; }
  NodeId build(const kernel::Jump& jump, NodeId) { return targets_.at(jump.scope); }
  NodeId build(const Branch& branch, NodeId after) {
    const NodeId node = add(true), then = build(branch.then, after),
                 otherwise = build(branch.otherwise, after);
    branches_[&branch] = {then, otherwise};
    nodes_[then].from.push_back(node);
    nodes_[otherwise].from.push_back(node);
    return node;
  }
  NodeId build(const Scope& scope, NodeId after) {
    if (scope.kind != Scope::Kind::loop) {
      targets_[scope.name] = after;
      return build(scope.body, after);
    }
    const NodeId node = targets_[scope.name] = loops_[&scope] = add(false);
    nodes_[build(scope.body, after)].from.push_back(node);
    return node;
  }

  /// From the end backwards; a branch is one condition further than what follows it, and a loop is not.
  void measure() {
    nodes_[end].distance = 0;
    std::deque<NodeId> open{end};
    while (!open.empty()) {
      const Node& at = nodes_[open.front()];
      open.pop_front();
      for (const NodeId from : at.from) {
        Node& before = nodes_[from];
        const std::size_t distance = at.distance + (before.is_branch ? 1 : 0);
        if (distance >= before.distance) continue;
        before.distance = distance;
        before.is_branch ? open.push_back(from) : open.push_front(from);
      }
    }
  }

  std::vector<Node> nodes_;
  std::map<std::string, NodeId> targets_;  ///< where a jump to the scope goes
  std::map<const Branch*, std::pair<NodeId, NodeId>> branches_;
  std::map<const Scope*, NodeId> loops_;
};

}  // namespace

ShortestExits shortest_exits(const kernel::Program& program) { return Graph(program).run(); }

}  // namespace codegen::target::gpu
