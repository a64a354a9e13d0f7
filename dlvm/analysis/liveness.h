#pragma once

#include <unordered_map>
#include <unordered_set>

#include "dlvm/analysis/control_flow.h"

namespace dlvm {

/// Which values are used later, at the borders of each block. Arguments of a block are defined in it, and
/// what is passed to a successor is used in the block that passes it.
class Liveness {
 public:
  using Values = std::unordered_set<const Value*>;
  explicit Liveness(const ControlFlow& flow);

  /// Returns the values of other blocks that the block, or one behind it, uses.
  const Values& live_in(const BasicBlock* block) const { return blocks_.at(block).in; }
  /// Returns the values that a block behind this one uses.
  const Values& live_out(const BasicBlock* block) const { return blocks_.at(block).out; }

 private:
  struct Borders {
    Values in, out;
  };
  std::unordered_map<const BasicBlock*, Borders> blocks_;
};

}  // namespace dlvm
