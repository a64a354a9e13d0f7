#pragma once

#include "dlvm/differentiate/rules.h"

/// Partial derivatives that are longer than a line.
namespace dlvm::partials {

Partial trigamma(const Primal&);
Partial power_by_base(const Primal&);
Partial power_by_exponent(const Primal&);
Partial larger_left(const Primal&);   ///< 1 where x > y, half at a tie, else 0
Partial larger_right(const Primal&);  ///< 1 where y > x
Partial random_by_low(const Primal&);
Partial random_by_high(const Primal&);

}  // namespace dlvm::partials
