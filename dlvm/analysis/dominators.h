#pragma once

#include <unordered_map>
#include <vector>

#include "dlvm/analysis/control_flow.h"

namespace dlvm {

/// Which block is on every way to which.
/// The blocks that the entry does not reach form trees of their own, below the roots that `ControlFlow`
/// chooses among them; no reachable block dominates them.
class DominatorTree {
 public:
  explicit DominatorTree(const ControlFlow& flow);

  /// Returns the closest dominator other than the block itself; null for a root.
  BasicBlock* immediate(const BasicBlock* block) const { return nodes_.at(block).parent; }
  /// Returns the blocks of which this is the immediate dominator, in the order of `ControlFlow`.
  const std::vector<BasicBlock*>& children(const BasicBlock* block) const {
    return nodes_.at(block).children;
  }
  /// Returns whether every way to `block` goes through `dominator`; a block dominates itself.
  bool dominates(const BasicBlock* dominator, const BasicBlock* block) const;
  /// Returns the roots, of which the entry is the first.
  const std::vector<BasicBlock*>& roots() const { return roots_; }

 private:
  struct Node {
    BasicBlock* parent = nullptr;
    std::vector<BasicBlock*> children;
    std::size_t first = 0, last = 0;  ///< when a walk of the tree enters and leaves the block
  };
  void number(BasicBlock* root, std::size_t& time);

  std::unordered_map<const BasicBlock*, Node> nodes_;
  std::vector<BasicBlock*> roots_;
};

/// Returns the block that defines the value; null for a literal.
BasicBlock* defining_block(const Value* value);

}  // namespace dlvm
