#pragma once

#include <cstddef>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dlvm/analysis/block_order.h"
#include "dlvm/ir/function.h"

namespace dlvm {

/// One way into a block: a successor of a terminator.
struct BlockEdge {
  Instruction* terminator = nullptr;
  std::size_t successor = 0;

  BasicBlock* from() const { return terminator->block(); }
  BasicBlock* to() const { return terminator->successors()[successor].block; }
  std::span<Value* const> passed() const { return terminator->passed(successor); }
};

/// The graph of a body's blocks as it is when the object is made. A block without a terminator has no
/// successors.
class ControlFlow {
 public:
  explicit ControlFlow(const Function& function);

  /// Returns all blocks, each behind the one that dominates it: see `BlockOrder`.
  const std::vector<BasicBlock*>& order() const { return order_; }
  /// Returns the position in `order()`.
  std::size_t position(const BasicBlock* block) const { return positions_.at(block); }
  bool is_reachable(const BasicBlock* block) const { return position(block) < reachable_; }
  bool is_root(const BasicBlock* block) const { return roots_.contains(block); }
  /// Returns the edges into the block, in the order of their blocks in the function.
  const std::vector<BlockEdge>& predecessors(const BasicBlock* block) const {
    return predecessors_.at(block);
  }
  /// Returns the blocks that the entry does not reach.
  std::unordered_set<const BasicBlock*> unreachable() const;
  /// Returns whether a reachable block can be run twice.
  bool has_cycle() const;

 private:
  std::vector<BasicBlock*> order_;
  std::unordered_map<const BasicBlock*, std::size_t> positions_;
  std::unordered_map<const BasicBlock*, std::vector<BlockEdge>> predecessors_;
  std::unordered_set<const BasicBlock*> roots_;
  std::size_t reachable_ = 0;
};

/// Removes the blocks that the entry does not reach; returns whether there were any.
bool remove_unreachable_blocks(Function& function);

}  // namespace dlvm
