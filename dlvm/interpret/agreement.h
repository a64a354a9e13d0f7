#pragma once

#include <span>
#include <string>
#include <vector>

#include "dlvm/ir/tensor.h"

/// When a target's result agrees with the interpreter's. With r from the rounding interpreter, u from its
/// float64 mode and a the result:
///   |a - r| <= t (|r| + max |r| + s) + 8 max |r - u|
/// the maxima over the tensor, s 1e-3 of the largest finite magnitude among the entry point's results, t by
/// the element type. Integers and bools exactly. NaN agrees with NaN, an infinity with the same infinity;
/// where u overflows the type, a may be that infinity or the largest finite value.
namespace dlvm {

/// Returns the tolerance t, which is 0 for a type that must agree exactly.
double tolerance(ElementType element);

struct Comparison {
  std::string name;
  Tensor actual, rounded, exact;  ///< a, r and u; u may have element type f64
};

struct Agreement {
  std::string name;
  bool agrees = true;
  std::string why;        ///< the worst element, or what about type or extents differs
  std::size_t worst = 0;  ///< the element with the largest ratio
  /// The ratio of its difference to the one that is allowed; over 1 it does not agree.
  double worst_ratio = 0;
  std::size_t disagreeing = 0;  ///< the number of elements that do not agree
};

/// Compares all results of one call of an entry point; `factor` widens the tolerances.
std::vector<Agreement> compare(std::span<const Comparison> results, double factor = 1);

}  // namespace dlvm
