#pragma once

#include <cstddef>
#include <vector>

namespace dlvm {

/// For each block, by its number, the numbers of those that may follow it. Block 0 is the entry.
using SuccessorNumbers = std::vector<std::vector<std::size_t>>;

/// An order of all blocks in which each stands behind the one that dominates it.
struct BlockOrder {
  /// First the blocks that the entry reaches, in reverse post order. Behind them stand the others: from each
  /// that has no predecessors, then from each that is left, those that it reaches, in reverse post order.
  std::vector<std::size_t> order;
  /// The blocks from which the order was made: the entry, and those chosen among the unreachable ones.
  std::vector<std::size_t> roots;
  std::size_t reachable = 0;  ///< the number of blocks that the entry reaches
};

/// Returns the order. The time is linear, and the stack does not grow with the graph.
BlockOrder block_order(const SuccessorNumbers& successors);

}  // namespace dlvm
