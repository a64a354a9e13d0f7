#include "dlvm/interpret/special_functions.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace dlvm::evaluation {

double digamma(double x) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (std::isnan(x) || (std::isinf(x) && x < 0)) return nan;
  if (std::isinf(x)) return x;
  if (x == 0) return std::copysign(std::numeric_limits<double>::infinity(), -x);
  if (x < 0) {
    const double whole = std::floor(x);
    if (x == whole) return nan;
    // The tangent of the fractional part alone: pi * x itself would lose it.
    return digamma(1 - x) - std::numbers::pi / std::tan(std::numbers::pi * (x - whole));
  }
  double shift = 0;
  for (; x < 10; x += 1) shift += 1 / x;
  // Bernoulli numbers B(2k) / (2k), k = 1 … 8.
  constexpr double series[]{1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
                            1.0 / 132, -691.0 / 32760, 1.0 / 12,  -3617.0 / 8160};
  const double inverse = 1 / (x * x);
  double sum = 0;
  for (int k = 7; k >= 0; --k) sum = (sum + series[k]) * inverse;
  return std::log(x) - 0.5 / x - sum - shift;
}

}  // namespace dlvm::evaluation
