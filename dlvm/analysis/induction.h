#pragma once

#include <optional>

#include "dlvm/analysis/loops.h"
#include "dlvm/ir/extent.h"

namespace dlvm {

/// An integer scalar that a loop carries: `start` when the loop is entered, and `step` more each time round.
struct Induction {
  Value* start = nullptr;
  std::int64_t step = 0;
};

/// Returns how an argument of the header changes; nothing where it is no induction variable, or where the
/// loop has several entries or latches.
std::optional<Induction> induction(const Loop& loop, const Argument& argument);

/// An upper bound of how many times a loop goes round each time it is entered, which a test in it keeps. It
/// takes for granted that extents are below 2^31 - 2^16, so that no counter wraps around.
struct TripBound {
  Extent times;
  const BasicBlock* test = nullptr;  ///< the block that leaves the loop when the bound is reached
  /// The successor of `test` in the loop: what it dominates runs at most `times` times, other blocks once
  /// more.
  const BasicBlock* inside = nullptr;
};
/// Returns the bound, which is not negative; nothing where none is found that is an extent.
std::optional<TripBound> trip_bound(const Loop& loop, const DominatorTree& dominators);

/// Returns how many times the block runs at most in a call of its function; nothing where that is no extent.
std::optional<Extent> most_runs(const BasicBlock& block, const LoopNest& loops,
                                const DominatorTree& dominators);

}  // namespace dlvm
