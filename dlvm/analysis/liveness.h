#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "dlvm/analysis/control_flow.h"

namespace dlvm {

/// Which values are used later, at the borders of each block. Arguments of a block are defined in it, and
/// what is passed to a successor is used in the block that passes it.
class Liveness {
 public:
  /// A set of values, which takes little more memory than their addresses: of deeply nested blocks, there are
  /// as many values at each border as there are blocks around it. It has no order that a run repeats.
  class Values {
   public:
    bool contains(const Value* value) const { return std::ranges::binary_search(sorted_, value); }
    bool empty() const { return sorted_.empty(); }
    auto begin() const { return sorted_.begin(); }
    auto end() const { return sorted_.end(); }

   private:
    friend class Liveness;
    std::vector<const Value*> sorted_;  ///< by their addresses, once it is complete
  };
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
