#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "dlvm/ir/module.h"

namespace dlvm {

/// Cuts the outermost loops of the function into at most `levels[0]` segments of equal length, the loops of
/// the segments into `levels[1]`, and so on; where a segment has one round, these are the loops inside. A new
/// function runs one segment: it takes what the loop carries and uses, and returns the number of the exit by
/// which it left the loop, or 0, what the loop carries, and what is used behind the loop. The loop is a loop
/// of its calls then, and computes the same. The adjoint of a call computes the call again, so that between
/// the segments only what is carried is kept.
///
/// A loop is cut if it changes no state. Its rounds are bounded by an extent (`Bounds::rounds`), or else by
/// `steps`, a dimension that callers give; a loop that goes on for longer ends the call with an error. The
/// function has the form of the pass CFGCan afterwards.
void segment_loops(Module& module, Function& function, const std::vector<std::int64_t>& levels,
                   const Extent& steps, std::size_t level = 0);

/// A loop that is in no other and is not cut.
struct WholeLoop {
  std::string_view why;
  Location place;  ///< that of its first instruction that has one
};
/// Returns the first such loop of the function, which has the form of the pass CFGCan afterwards.
std::optional<WholeLoop> find_whole_loop(Function& function);

}  // namespace dlvm
