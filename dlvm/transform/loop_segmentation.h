#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "dlvm/ir/module.h"

namespace dlvm {

/// How loops are cut.
struct Segments {
  static constexpr std::int64_t all_rounds = 128;

  std::vector<std::int64_t> counts;  ///< how many segments each level has, the outermost first
  /// How many of 128 rounds of the outermost loops, the last ones, are not cut and keep what they compute.
  std::int64_t uncut = 0;
};

/// Cuts the outermost loops of the function into at most `counts[0]` segments of equal length, the loops of
/// the segments into `counts[1]`, and so on; where a segment has one round, these are the loops inside. A new
/// function runs one segment (dlvm/transform/loop_rounds.h). The loop is a loop of its calls then, and
/// computes the same. The adjoint of a call computes the call again, so that between the segments only what
/// is carried is kept. The rounds of the outermost loops that are not cut follow behind the segments.
///
/// A loop is cut if it changes no state. Its rounds are bounded by an extent (`Bounds::rounds`), or else by
/// `steps`, a dimension that callers give; a loop that goes on for longer ends the call with an error.
void segment_loops(Module& module, Function& function, const Segments& segments, const Extent& steps);

/// A loop that is in no other and is not cut.
struct WholeLoop {
  std::string_view why;
  Location place;  ///< that of its first instruction that has one
};
/// Returns the first such loop of the function, which has the form of the pass CFGCan afterwards.
std::optional<WholeLoop> find_whole_loop(Function& function);

}  // namespace dlvm
