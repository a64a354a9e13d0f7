#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "dlvm/analysis/memory_peaks.h"

namespace dlvm {

/// Lists the values that the first part of a function keeps for the second, and those that the second
/// computes again.
struct RematerializationPlan {
  /// The first instruction of the second part; null if nothing is computed again.
  const Instruction* second = nullptr;
  std::vector<const Instruction*> kept, computed_again;  ///< of the first part, in order
  /// The most bytes that values of the first part, and those from before it, take at any time in the second
  /// part: those that are kept, and those that have been computed again and are in memory.
  std::int64_t bytes = 0;
  std::int64_t work = 0;  ///< what is computed again (dlvm/analysis/work.h)
};

/// Chooses what the second part of a function computes again, so that what is kept stays within a budget. The
/// two parts meet at a peak of memory; what stands before the first part is never computed again.
///
///  1. The first part is cut into segments of about the same number of bytes, at places where few bytes flow
///     from one segment to the next. A value that does is not computed again. So the second part, which needs
///     the segments in the reverse order, has the values of one segment at a time.
///  2. Of the other values those are kept whose bytes cost less than computing them again: a minimum cut of
///     the graph in which values flow to their users, where a value that is kept costs its bytes, and one
///     that is computed again a price for each operation of `work`.
///  3. Several numbers of segments and several prices are tried, and whether the last segments can keep what
///     they need. Of the plans that fit, that with the least work is taken, and if none fits, that with the
///     fewest bytes.
class Rematerialization {
 public:
  /// The blocks of the function must follow each other in a line. Dimensions without a value are taken to be
  /// `typical_dimension`.
  Rematerialization(Function& function, const MemoryPeak& peak, const Extent::Bindings& dimensions);

  /// Returns the plan that computes again what takes a few operations for each element, and nothing else.
  RematerializationPlan keep_all() const;
  RematerializationPlan choose(std::int64_t budget) const;
  /// Gives the second part a block of its own, so that nothing of it is computed in the first part, and
  /// computes there again what the plan says, each value before its first use.
  void apply(const RematerializationPlan& plan);

 private:
  using Indices = std::vector<std::size_t>;
  /// A value of the first part, or from before it.
  struct Node {
    Instruction* instruction = nullptr;
    Indices operands;  ///< those that are nodes
    std::int64_t bytes = 0, work = 0;
    bool may_be_computed = false, moves_elements = false;
    std::size_t last_use = 0;  ///< by the first part, also through what only moves elements
  };
  void add_values_from_before(std::span<Instruction* const> before, std::span<Instruction* const> behind);
  void add_node(Instruction& instruction);
  void find_last_uses();
  Indices nodes_of(const Instruction& instruction) const;
  std::vector<std::size_t> segment_ends(std::size_t segments) const;
  std::vector<bool> least_cut(const std::vector<bool>& pinned, double price, std::size_t plenty) const;
  RematerializationPlan plan(const std::vector<bool>& computed_again) const;

  Function& function_;
  Extent::Bindings dimensions_;
  std::vector<Node> nodes_;
  std::size_t first_ = 0;  ///< the first node of the first part
  std::unordered_map<const Value*, std::size_t> number_;
  std::vector<Instruction*> second_;    ///< the instructions of the second part
  std::vector<Indices> uses_;           ///< the nodes that each of them uses; results are the caller's
  std::vector<bool> needed_;            ///< the nodes that one of them uses
  std::vector<std::int64_t> crossing_;  ///< for each node, the bytes that flow past its definition
};

}  // namespace dlvm
