#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "dlvm/ir/module.h"

namespace dlvm {

/// How loops are cut.
struct Segments {
  static constexpr std::int64_t all_rounds = 128;

  struct Level {
    std::int64_t count = 1;  ///< how many segments a loop has at most
    /// How many of the states before its segments are kept at most at one time (at least 2; all, where there
    /// are no more segments). The others are computed again from them.
    std::int64_t checkpoints = 2;
    friend bool operator==(const Level&, const Level&) = default;
  };
  std::vector<Level> levels;  ///< the outermost loops first
  /// How many of 128 rounds of the outermost loops, the last ones, are not cut and keep what they compute.
  std::int64_t uncut = 0;
};

/// Cuts the outermost loops of the function into segments of equal length as the first level says, the loops
/// of the segments as the second one does, and so on; where a segment has one round, these are the loops
/// inside. A new function runs one segment (dlvm/transform/loop_rounds.h); it has the level's checkpoints as
/// an attribute (dlvm/analysis/checkpoint_schedule.h), unless all states are kept. The loop is a loop of its
/// calls then, and computes the same. The adjoint of a call computes the call again, so that between the
/// segments only what is carried is kept. The rounds of the outermost loops that are not cut follow behind
/// the segments.
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
