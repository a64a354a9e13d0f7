#pragma once

#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dlvm/analysis/dominators.h"

namespace dlvm {

/// A natural loop: a header, and the blocks from which a latch is reached without going through the header.
/// Loops with one header are one loop.
struct Loop {
  BasicBlock* header = nullptr;
  Loop* parent = nullptr;
  std::size_t depth = 1;  ///< 1 for a loop that is in no other
  /// The blocks in the order of `ControlFlow`, the header first, those of inner loops included.
  std::vector<BasicBlock*> blocks;
  std::vector<BlockEdge> entries;  ///< the edges to the header from outside
  std::vector<BlockEdge> latches;  ///< the edges to the header from inside
  std::vector<BlockEdge> exits;    ///< the edges from inside to outside

  bool contains(const BasicBlock* block) const { return members.contains(block); }
  std::unordered_set<const BasicBlock*> members;
};

/// The loops of the blocks that the entry reaches.
class LoopNest {
 public:
  LoopNest(const ControlFlow& flow, const DominatorTree& dominators);

  /// Returns all loops, each behind the loops that contain it.
  const std::vector<std::unique_ptr<Loop>>& loops() const { return loops_; }
  /// Returns the innermost loop of the block; null if it is in none.
  Loop* innermost(const BasicBlock* block) const;
  /// Returns whether a cycle can be entered at several blocks, so that it is no natural loop.
  bool is_irreducible() const { return irreducible_; }

 private:
  void fill(Loop& loop, const ControlFlow& flow);

  std::vector<std::unique_ptr<Loop>> loops_;
  std::unordered_map<const BasicBlock*, Loop*> innermost_;
  bool irreducible_ = false;
};

}  // namespace dlvm
