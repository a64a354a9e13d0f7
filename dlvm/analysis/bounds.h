#pragma once

#include <unordered_map>
#include <unordered_set>

#include "dlvm/analysis/induction.h"
#include "dlvm/analysis/integer_bounds.h"

namespace dlvm {

/// An upper bound of how many times a loop goes round each time it is entered, which tests in it keep.
struct TripBound {
  Extent times;
  /// The successor of the test in the loop: what it dominates runs at most `times` times, other blocks once
  /// more. It may be the header, which runs once more, too, with all that it dominates, and is where each
  /// round meets one of several tests.
  const BasicBlock* inside = nullptr;
};

/// Bounds of the integer scalars of a body and of the rounds of its loops. The two follow from each other: a
/// loop whose counter goes towards a bounded value has a bound, and the counter behind it as well.
/// They hold for dimensions up to `max_dimension`, and are found on request; an answer costs no more than a
/// fixed number of values, and is known afterwards. The blocks must stay as they were when the analyses were
/// made.
class Bounds {
 public:
  Bounds(const ControlFlow& flow, const DominatorTree& dominators, const LoopNest& loops)
      : flow_(flow), dominators_(dominators), loops_(loops) {}

  /// Returns the bounds of an integer or a bool; of other values nothing is known.
  IntegerBounds of(const Value& value);
  /// Returns the bound of the loop's rounds, which is not negative; nothing where none is found that is an
  /// extent.
  std::optional<TripBound> rounds(const Loop& loop);
  /// Returns the bounds of what the argument of the loop's header is when the loop is entered; nothing where
  /// that is not known.
  std::optional<IntegerBounds> at_entry(const Loop& loop, const Argument& argument);
  /// Returns how many times the block runs at most in a call of its function; nothing where that is no
  /// extent.
  std::optional<Extent> most_runs(const BasicBlock& block);
  /// Returns whether the loop and those in it end each time that it is entered.
  bool ends(const Loop& loop);

  /// Returns the bounds of a component of an aggregate, by its positions from the inside out.
  IntegerBounds of_component(const Value& aggregate, Integers path, ElementType type);

 private:
  /// Begins to look at a value, a loop or a stack; returns false where the search goes round in a circle, or
  /// is too long.
  bool begin(const void* what);

  IntegerBounds of_pushed(const Value& stack, const Integers& path, ElementType type);
  IntegerBounds of_argument(const Argument& argument);
  std::optional<IntegerBounds> of_counter(const Loop& loop, const Argument& argument);

  const ControlFlow& flow_;
  const DominatorTree& dominators_;
  const LoopNest& loops_;
  std::unordered_map<const Value*, IntegerBounds> values_;
  std::unordered_map<const Loop*, std::optional<TripBound>> rounds_;
  std::unordered_set<const void*> open_;
  int left_ = 0;
  bool is_cut_ = false;  ///< whether what is being found may be known better in another order
};

}  // namespace dlvm
