#pragma once

#include <cstdint>

#include "dlvm/ir/module.h"

namespace dlvm {

/// A smaller sum fits into the fastest cache, and costs little where it is.
constexpr std::int64_t least_sunk_elements = 16'384;

/// CS. A sum of products that a loop adds up,
///
///     for t in 0 upto T { sum = add sum, dot a_t, b_t }
///
/// becomes one product of all rounds behind the loop, whose contraction also goes over the rounds: the sum is
/// not read and written in each. Derivatives of weights that all rounds use are such sums. An operand that
/// the loop gathers, row by row, from a tensor that it does not change is a slice of that tensor; others are
/// kept, one row for each round. This is done where the number of rounds is known exactly, the product has
/// `least_elements`, and what is kept is smaller than it, and no larger than twice the rows that the loop
/// gathers in any case. Floating-point sums are added in another order.
bool contraction_sinking(Module& module, std::int64_t least_elements = least_sunk_elements);

}  // namespace dlvm
