#pragma once

#include "dlvm/ir/function.h"

namespace dlvm {

/// The pass FM, for `--fast-math`. It rewrites floating-point instructions as if every value were finite and
/// no divisor zero: `x * 0` is 0, `x - x` is 0, `x / x` is 1, `x == x` is true, `exp(log x)` is x. It does
/// not tell 0 from -0, makes products of divisions by literals, and joins literals of neighbouring sums and
/// products, so that results may be rounded at other places.
bool fast_math(Function& function);

}  // namespace dlvm
