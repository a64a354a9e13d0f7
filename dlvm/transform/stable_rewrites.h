#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// The pass STA. It replaces compositions that lose all digits or overflow where the mathematical value does
/// neither by their stable form. It runs before differentiation, because the derivative of the unstable form
/// would be infinity times zero. The stable forms have the right derivatives of every order.
///   log(exp(z) / s)  →  z - log(s)                       (so log(softmax(x)))
///   log(1 / s)       →  -log(s)                          (so log(sigmoid(x)))
///   log(1 + exp(x)), log1p(exp(x))  →  (x > 0 ? x : 0) + log1p(exp(x > 0 ? -x : x))
///   log(sum exp(x))  →  m + log(sum exp(x - m)), m = detach(max x), 0 where that is not finite
///   log(1 + x)       →  log1p(x)
///   exp(x) - 1       →  expm1(x)
bool stable_rewrites(Function& function);

}  // namespace dlvm
