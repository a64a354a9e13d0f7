#pragma once

#include "dlvm/analysis/loops.h"
#include "dlvm/ir/module.h"

namespace dlvm {

/// Returns whether the loop can be cut into segments: it is left from its header alone, which has one entry
/// and one latch, where the condition of its conditional is false; it changes no state; and an extent bounds
/// its rounds (`trip_bound`).
bool can_be_segmented(const Loop& loop, const DominatorTree& dominators);

/// Cuts the loop into at most `segments` segments of equal length. A new function runs one of them: it takes
/// what the loop carries and uses, and returns what the loop carries. The loop is a loop of its calls then,
/// and computes the same. Returns the function. The adjoint of a call computes the call again, so that
/// between the segments only what is carried is kept.
Function* segment_loop(Module& module, const Loop& loop, const DominatorTree& dominators,
                       std::int64_t segments);

}  // namespace dlvm
