#pragma once

#include "dlvm/differentiate/rules.h"

/// Partial derivatives whose rules do not fit into one line of the table: that of digamma, those of `power`
/// by its two operands, those of `max` and `min` by each operand, and those of `random` by its bounds.
namespace dlvm::partials {

Partial trigamma(const Primal&);
Partial power_by_base(const Primal&);
Partial power_by_exponent(const Primal&);
Partial larger_left(const Primal&);   ///< 1 where x > y, one half at a tie, and otherwise 0
Partial larger_right(const Primal&);  ///< 1 where y > x
Partial random_by_low(const Primal&);
Partial random_by_high(const Primal&);

}  // namespace dlvm::partials
