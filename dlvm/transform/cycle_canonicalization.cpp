// Strongly connected components, from the outside in: a component with several entries gets one, and the
// search goes on among its blocks without that one.
#include "dlvm/transform/cycle_canonicalization.h"

#include <algorithm>
#include <set>

#include "dlvm/ir/builder.h"
#include "dlvm/transform/dispatch.h"
#include "dlvm/transform/ssa_updater.h"

namespace dlvm {
namespace {

using Blocks = std::vector<BasicBlock*>;

/// Tarjan's algorithm on the blocks of a set, without recursion. It finds components with a cycle.
class Components {
 public:
  explicit Components(const std::set<BasicBlock*>& among) : among_(among) {}

  std::vector<Blocks> find(const Blocks& order) {
    for (BasicBlock* block : order)
      if (among_.contains(block) && !number_.contains(block)) visit(block);
    return std::move(found_);
  }

 private:
  struct Step {
    BasicBlock* block;
    std::size_t next = 0;  ///< the successor to look at
  };

  void open(BasicBlock* block) {
    number_[block] = low_[block] = number_.size();
    stack_.push_back(block);
    on_stack_.insert(block);
    path_.push_back({block});
  }

  void visit(BasicBlock* root) {
    for (open(root); !path_.empty();) {
      Step& step = path_.back();
      const auto& successors = step.block->terminator()->successors();
      if (step.next < successors.size()) {
        BasicBlock* to = successors[step.next++].block;
        if (!among_.contains(to)) continue;
        if (!number_.contains(to))
          open(to);
        else if (on_stack_.contains(to))
          low_[step.block] = std::min(low_[step.block], number_[to]);
        continue;
      }
      BasicBlock* block = step.block;
      path_.pop_back();
      if (!path_.empty()) low_[path_.back().block] = std::min(low_[path_.back().block], low_[block]);
      if (low_[block] == number_[block]) close(block);
    }
  }

  void close(BasicBlock* root) {
    Blocks component;
    BasicBlock* block = nullptr;
    do {
      block = stack_.back();
      stack_.pop_back();
      on_stack_.erase(block);
      component.push_back(block);
    } while (block != root);
    if (component.size() > 1) found_.push_back(std::move(component));
  }

  const std::set<BasicBlock*>& among_;
  std::unordered_map<BasicBlock*, std::size_t> number_, low_;
  std::vector<BasicBlock*> stack_;
  std::set<BasicBlock*> on_stack_;
  std::vector<Step> path_;
  std::vector<Blocks> found_;
};

class Canonicalization {
 public:
  explicit Canonicalization(Function& function) : function_(function) {}

  bool run() {
    const ControlFlow flow(function_);
    std::set<BasicBlock*> all(flow.order().begin(), flow.order().end());
    refine(all);
    if (changed_) restore_dominance(function_);
    return changed_;
  }

 private:
  void refine(const std::set<BasicBlock*>& among) {
    const ControlFlow flow(function_);
    for (const Blocks& component : Components(among).find(flow.order())) {
      std::set<BasicBlock*> inside(component.begin(), component.end());
      Blocks entries;
      for (BasicBlock* block : flow.order())
        if (inside.contains(block) && is_entered(flow, block, inside)) entries.push_back(block);
      BasicBlock* header = entries.front();
      if (entries.size() > 1) header = dispatch(entries);
      inside.erase(header);
      refine(inside);
    }
  }

  static bool is_entered(const ControlFlow& flow, const BasicBlock* block,
                         const std::set<BasicBlock*>& inside) {
    return std::ranges::any_of(flow.predecessors(block),
                               [&](const BlockEdge& edge) { return !inside.contains(edge.from()); });
  }

  BasicBlock* dispatch(const Blocks& entries) {
    changed_ = true;
    const ControlFlow flow(function_);
    std::vector<BlockEdge> edges;
    for (const BasicBlock* entry : entries)
      for (const BlockEdge& edge : flow.predecessors(entry)) edges.push_back(edge);
    return add_dispatch(function_, entries, edges);
  }

  Function& function_;
  bool changed_ = false;
};

}  // namespace

bool cycle_canonicalization(Function& function) {
  if (function.blocks().size() < 3) return false;
  const bool removed = remove_unreachable_blocks(function);
  return Canonicalization(function).run() || removed;
}

}  // namespace dlvm
