#pragma once

#include "dlvm/call/entry_call.h"

namespace dlvm {

/// A source of numbers that is the same everywhere: Philox with `seed` as key.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : seed_(seed) {}
  /// Returns a number in [low, high).
  double real(double low, double high);
  /// Returns a number in [low, high), or `low` where that is empty.
  std::int64_t integer(std::int64_t low, std::int64_t high);

 private:
  std::uint64_t next();
  std::uint64_t seed_, count_ = 0;
};

/// Integers that an argument may hold: [first, end), as extents over the function's dimensions; several where
/// it is used in several places.
struct IndexRange {
  Extent first, end;
  /// An index would fall outside otherwise. A range that is not demanded is one in which comparisons with the
  /// positions of an axis or the steps of a loop come out both ways: a length is from 0 to their number.
  bool demanded = true;
};

/// Returns, for each argument, what its uses demand of its elements, and what they suggest; they are followed
/// through views, sums with constants and calls.
std::vector<std::vector<IndexRange>> index_ranges(const Function& function);

/// The interval [low, high) from which floating inputs are drawn.
struct Interval {
  double low = 0, high = 0;
};

/// Draws values for everything that `given` lacks, of the types that the function takes: inputs
/// from `interval`, cotangents from [-1, 1), integers from their range (or small), parameters at their
/// initial values, each element moved by up to `wobble`. Free dimensions that nothing gives get `extent` and
/// the numbers after it. Nothing, and why, where that is not possible.
std::optional<EntryCall> random_call(const Module& module, const EntryPoint& entry, const EntryInputs& given,
                                     std::int64_t extent, Interval interval, Draw& draw, std::string& why,
                                     double wobble = 0.1);

}  // namespace dlvm
