#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "codegen/kernel/ir/kernel.h"

namespace codegen::kernel {

/// About the cycles that one element of the instruction takes, as a scalar.
std::uint32_t work(const dlvm::Instruction& instruction);

/// Whether the shapes are the same but for axes of extent 1.
bool same_axes(const Shape& a, const Shape& b);

/// What computing one element of a value again costs, counted down to what is materialized.
struct Recomputation {
  std::uint32_t work = 0;   ///< about cycles
  std::uint32_t nodes = 1;  ///< scalars, without sharing
  std::uint32_t loads = 0;  ///< of tensors as large as the value
  std::uint32_t casts = 0;  ///< shapeCasts on the longest path: their indices grow
  bool check = false;       ///< may stop the entry point
  bool computed = false;    ///< the same element of a materialized value that some kernel computes
  bool combined = false;    ///< … by a reduction or contraction: could be computed in its epilogue
};

/// The function's values as kernels see them, and the decision which of them are materialized in buffers and
/// which are computed again wherever they are used:
///  1. Reductions, scans, contractions, scatters, concatenations and results are materialized.
///  2. What is used once is computed in its user, unless the user would do so many times over and that
///     costs more than reading it (an operand of a contraction; what is broadcast, gathered).
///  3. What is used several times is materialized where it is costly, reads several tensors, or can be
///  computed in
///     the epilogue of a reduction or contraction. Kept values at the same point cost nothing (fuse.h).
///     What is a single element that no kernel computes (1 / N) is not: it costs nothing in a loop.
///  4. No expression grows beyond `max_nodes`.
/// Linear in the number of instructions.
class Graph {
 public:
  static constexpr std::uint32_t max_nodes = 48;

  explicit Graph(const dlvm::Function& function);

  /// The function's results, tuples taken apart.
  const std::vector<const dlvm::Value*>& results() const { return results_; }
  /// Instructions that are materialized, in order.
  const std::vector<const dlvm::Instruction*>& materialized() const { return materialized_order_; }
  bool is_materialized(const dlvm::Value* value) const { return materialized_.contains(value); }
  /// Values that all users compute again after all.
  void forget(const std::unordered_set<const dlvm::Value*>& values);

 private:
  void resolve_tuples(const dlvm::Function& function);
  void count_uses(const dlvm::Function& function);
  void decide(const dlvm::Instruction& instruction);
  void prepare_operands(const dlvm::Instruction& instruction);
  void keep(const dlvm::Value* value);
  Recomputation recomputation(const dlvm::Instruction& instruction) const;
  const Recomputation& of(const dlvm::Value* value) const;

  std::unordered_map<const dlvm::Value*, std::vector<const dlvm::Value*>> tuples_;
  std::unordered_map<const dlvm::Value*, const dlvm::Value*> aliases_;
  std::unordered_map<const dlvm::Value*, std::uint32_t> uses_;
  std::unordered_map<const dlvm::Value*, Recomputation> recomputations_;
  std::unordered_set<const dlvm::Value*> materialized_;
  std::vector<const dlvm::Value*> results_;
  std::vector<const dlvm::Instruction*> materialized_order_;

 public:
  /// The value itself, or what an `extract` takes out of a tuple.
  const dlvm::Value* resolve(const dlvm::Value* value) const {
    const auto found = aliases_.find(value);
    return found == aliases_.end() ? value : found->second;
  }
};

/// A scatter of which each element of the result meets at most one update, found without a search: some of
/// its indices count the updates' own axes (iota) and together name each. It is then computed element by
/// element (`gather %x at iota, %label` transposed).
struct PointwiseScatter {
  std::vector<std::size_t> counted;   ///< for each axis of the indices: which index operand counts it
  std::vector<std::size_t> compared;  ///< the other index operands
};
std::optional<PointwiseScatter> pointwise(const Graph& graph, const dlvm::Instruction& scatter);

/// Whether an index is in [0, end) wherever no check has failed: it was checked, or counts an axis.
bool is_checked(const Graph& graph, const dlvm::Value* index, const Extent& end);

/// Whether the type tells that the instruction's elements are computed by a stage of their own.
bool must_materialize(const Graph& graph, const dlvm::Instruction& instruction);

}  // namespace codegen::kernel
