#pragma once

#include <vector>

#include "dlvm/analysis/loops.h"
#include "dlvm/ir/module.h"

namespace dlvm {

/// The values by which a loop is connected to what is around it.
struct LoopValues {
  std::vector<Value*> carried;  ///< the arguments of the header
  /// These values are used in the loop and defined outside it, in the order of use. Parameters of the
  /// function follow whose types have the dimensions in the loop that no other value here has: a function of
  /// the rounds takes them for their extents alone.
  std::vector<Value*> invariants;
  std::vector<Value*>
      results;  ///< the other values that are used behind the loop, in the order of definition
};
/// Returns the values of the loop, which goes round at most `rounds` times.
LoopValues find_values(const Loop& loop, const Extent& rounds);

/// Adds a function that runs at most `rounds` rounds of the loop: it takes what the loop carries and its
/// invariants, and returns the number of the exit by which it left the loop, from 1, or else 0, what the loop
/// carries, and the results. A result that the exit does not pass is zero.
Function& add_function_of_rounds(Module& module, const Loop& loop, const LoopValues& values,
                                 const DominatorTree& dominators, const Extent& rounds);

}  // namespace dlvm
