#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "codegen/kernel/ir/kernel.h"

namespace codegen::kernel {

/// Returns the approximate cost in cycles of one element of the instruction, computed as a scalar.
std::uint32_t work(const dlvm::Instruction& instruction);

/// Returns whether the shapes are equal except for axes of extent 1.
bool same_axes(const Shape& a, const Shape& b);

/// The cost of computing one element of a value again, down to the values that are materialized.
struct Recomputation {
  std::uint32_t work = 0;   ///< the approximate cost in cycles
  std::uint32_t nodes = 1;  ///< scalars, without sharing
  std::uint32_t loads = 0;  ///< the loads of tensors as large as the value
  std::uint32_t casts = 0;  ///< shapeCasts on the longest path: their indices grow
  bool check = false;       ///< may stop the entry point
  bool computed = false;    ///< the same element of a materialized value that some kernel computes
  /// A reduction or contraction computes that element, so its epilogue could compute this one.
  bool combined = false;
  /// The materialized values at the same point that nothing reads later.
  std::uint32_t ended = 0;
  std::uint32_t latest = 0;  ///< the position of the latest materialized value that it reads
  /// A reduction or contraction computes that one at the same point, and nothing else reads it, so that this
  /// value can take its place.
  bool latest_is_replaced = false;
};

/// The scatters of a function that write their input in place, for nothing reads it afterwards (updates.h).
struct Updates {
  std::unordered_map<const dlvm::Value*, const dlvm::Value*> inputs;  ///< by the scatter
  /// The values that read an input and are materialized, so that they read before the scatter writes.
  std::unordered_set<const dlvm::Value*> read_before;
};

/// The values of a function as kernels see them, and the decision which of them are materialized in buffers
/// and which are computed again wherever they are used:
///  1. Reductions, scans, contractions, scatters, concatenations and results are materialized.
///  2. A value that is used once is computed in its user, unless the user would compute it many times
///     and that costs more than reading it (an operand of a contraction, a value that is broadcast or
///     gathered). What a convolution with a window reads is in memory, whatever it costs, and what
///     overlapping windows read is, if a kernel computes it.
///  3. A value that is used several times is materialized if it is costly, reads several tensors, or can be
///     computed in the epilogue of a reduction or contraction; materialized values at the same point cost
///     nothing (fuse.h). A single element that no kernel computes (1 / N) is not, for it costs nothing in a
///     loop.
///  4. No expression grows beyond `max_nodes`.
///  5. An operand that an elementwise user adds to a later one, such as the sum so far of many products, is
///     materialized if that ends the lifetimes of several values: where it reads nothing else and the
///     epilogue of the latest can compute it, which costs no traffic, or where there are `max_ended`.
/// The time is linear in the number of instructions.
class Graph {
 public:
  static constexpr std::uint32_t max_nodes = 48;
  static constexpr std::uint32_t max_ended = 8;

  /// Decides for every value of the function, which must outlive the graph. `checked` says which parameters
  /// are indices that were checked for all axes that they index.
  explicit Graph(const dlvm::Function& function, Updates updates = {}, std::vector<bool> checked = {});

  /// Returns the function's results; a tuple is replaced by its elements.
  const std::vector<const dlvm::Value*>& results() const { return results_; }
  /// Returns the materialized instructions in order.
  const std::vector<const dlvm::Instruction*>& materialized() const { return materialized_order_; }
  bool is_materialized(const dlvm::Value* value) const { return materialized_.contains(value); }
  /// Returns whether the value is a scatter that writes its input in place.
  bool is_update(const dlvm::Value* value) const { return updates_.inputs.contains(value); }
  const Updates& updates() const { return updates_; }
  /// Returns whether the value is a parameter that needs no check where it is used as an index.
  bool is_checked(const dlvm::Value* value) const {
    const auto* argument = dlvm::as_argument(value);
    return argument != nullptr && argument->index() < checked_.size() && checked_[argument->index()];
  }
  /// Makes `values` no longer materialized: all their users compute them again.
  void forget(const std::unordered_set<const dlvm::Value*>& values);

 private:
  /// The uses by instructions that compute; a use by a view counts as the view's uses.
  struct Uses {
    std::uint32_t position = 0;  ///< of the value in its block, from 1
    std::uint32_t count = 0;
    std::uint32_t last = 0;  ///< the position of the last user
  };
  void resolve_tuples(const dlvm::Function& function);
  void count_uses(const dlvm::Function& function);
  void decide(const dlvm::Instruction& instruction);
  void prepare_operands(const dlvm::Instruction& instruction);
  void end_lifetimes(const dlvm::Instruction& user);
  void materialize(const dlvm::Value* value);
  Recomputation recomputation(const dlvm::Instruction& instruction) const;
  const Recomputation& of(const dlvm::Value* value) const;
  const Uses& uses(const dlvm::Value* value) const;
  std::uint32_t count_ended(const dlvm::Instruction& user) const;

  Updates updates_;
  std::vector<bool> checked_;
  std::unordered_map<const dlvm::Value*, std::vector<const dlvm::Value*>> tuples_;
  std::unordered_map<const dlvm::Value*, const dlvm::Value*> aliases_;
  std::unordered_map<const dlvm::Value*, Uses> uses_;
  std::unordered_map<const dlvm::Value*, Recomputation> recomputations_;
  std::unordered_set<const dlvm::Value*> materialized_;
  std::vector<const dlvm::Value*> results_;
  std::vector<const dlvm::Instruction*> materialized_order_;

 public:
  /// Returns the value that an `extract` takes out of a tuple, or `value` itself if it is no such
  /// instruction.
  const dlvm::Value* resolve(const dlvm::Value* value) const {
    const auto found = aliases_.find(value);
    return found == aliases_.end() ? value : found->second;
  }
};

/// Returns whether the instruction's kind alone requires that a stage of its own computes its elements.
bool must_materialize(const Graph& graph, const dlvm::Instruction& instruction);

}  // namespace codegen::kernel
