#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dlvm/transform/rematerialization_plan.h"

namespace dlvm {

/// The values that one way of a branch keeps for its adjoint: the record that a block pushes to a stack of
/// its own, and that another block pops. The two blocks, one behind the other, are a function of one block
/// with a peak of memory between them, for which `Rematerialization` chooses. What dominates the second block
/// is there in both, and all else that the second one takes has to be kept.
class ArmRematerialization {
 public:
  class Blocks;
  explicit ArmRematerialization(std::unique_ptr<Blocks> blocks);
  ~ArmRematerialization();
  ArmRematerialization(ArmRematerialization&&) noexcept;

  /// Returns what is kept and computed again where memory is plentiful, and within a budget.
  RematerializationPlan keep_all() const { return values_->keep_all(); }
  RematerializationPlan choose(std::int64_t budget) const { return values_->choose(budget); }
  /// Lets the first block push no more than the plan keeps, and the second one compute the rest again.
  void apply(const RematerializationPlan& plan);

 private:
  std::unique_ptr<Blocks> blocks_;
  std::unique_ptr<Rematerialization> values_;
};

struct Arms {
  std::vector<ArmRematerialization> arms;
  std::int64_t fixed = 0;  ///< the bytes of stacks that are used in other ways
};
/// Returns the ways of branches that keep something, of a function without loops.
Arms arms_of(Function& function);

}  // namespace dlvm
