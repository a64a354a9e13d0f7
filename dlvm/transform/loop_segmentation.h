#pragma once

#include <vector>

#include "dlvm/ir/module.h"

namespace dlvm {

/// Cuts the outermost loops of the function into at most `levels[0]` segments of equal length, the loops of
/// the segments into `levels[1]`, and so on. A new function runs one segment: it takes what the loop carries
/// and uses, and returns what the loop carries. The loop is a loop of its calls then, and computes the same.
/// The adjoint of a call computes the call again, so that between the segments only what is carried is kept.
///
/// A loop is cut if it is left from its header alone, where the condition of its conditional is false, if it
/// changes no state, and if an extent bounds its rounds (`Bounds::rounds`). Should it go on for longer, it
/// traps. The function has the form of the pass CFGCan afterwards.
void segment_loops(Module& module, Function& function, const std::vector<std::int64_t>& levels,
                   std::size_t level = 0);

}  // namespace dlvm
