#pragma once

namespace dlvm::evaluation {

/// The derivative of log |gamma|, to about 1e-15 (absolute near its zeros): the recurrence psi(x) =
/// psi(x + 1) - 1/x up to 10, then the asymptotic series (Abramowitz and Stegun 6.3.18); below 0 the
/// reflection 6.3.7. -inf at +0, +inf at -0, NaN at negative integers and -inf.
double digamma(double x);

}  // namespace dlvm::evaluation
