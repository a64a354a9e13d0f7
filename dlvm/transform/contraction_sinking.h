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
/// becomes one product behind the loop, which contracts the rounds as well, so that no round reads and writes
/// the sum. The derivatives of weights that all rounds use are such sums. An operand whose rows the loop
/// gathers one after the other, from a tensor that it does not change, is a slice of that tensor; any other
/// one is kept, one row for each round.
///
/// A product is sunk where the number of rounds is known exactly, it has `least_elements`, and its operands
/// that are kept have fewer in a round, as far as that is known. All that one loop keeps is no larger than
/// twice the rows that it gathers one after the other. Floating-point sums are added in another order.
bool contraction_sinking(Module& module, std::int64_t least_elements = least_sunk_elements);

}  // namespace dlvm
