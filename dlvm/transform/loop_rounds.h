#pragma once

#include <vector>

#include "dlvm/analysis/loops.h"
#include "dlvm/ir/module.h"

namespace dlvm {

/// The values by which a loop is connected to what is around it.
struct LoopValues {
  std::vector<Value*> carried;     ///< the arguments of the header
  std::vector<Value*> invariants;  ///< the loop uses them and does not define them; in the order of use
  std::vector<Value*> results;     ///< the others that are used behind the loop, in the order of definition
};
LoopValues find_values(const Loop& loop);

/// Adds a function that runs at most `rounds` rounds of the loop: it takes what the loop carries and its
/// invariants, and returns the number of the exit by which it left the loop, from 1, or else 0, what the loop
/// carries, and the results. A result that the exit does not pass is zero.
Function& add_function_of_rounds(Module& module, const Loop& loop, const LoopValues& values,
                                 const DominatorTree& dominators, const Extent& rounds);

}  // namespace dlvm
