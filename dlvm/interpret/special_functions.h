#pragma once

/// Functions that the C library lacks, or computes in part: in long double, rounded once.
namespace dlvm::evaluation {

/// Returns log |gamma(x)|, also for negative subnormal numbers.
double lgamma(double x);
/// Returns the derivative of lgamma: NaN at negative integers and -infinity, and at the zeros an infinity of
/// the other sign.
double digamma(double x);
/// Returns the probability that a standard normal variable is below x.
double normal_cdf(double x);
/// Returns exp(2 sqrt(2 / pi) (x + 0.044715 x^3)).
double gelu_tanh_odds(double x);

}  // namespace dlvm::evaluation
