#include "dlvm/interpret/special_functions.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace dlvm::evaluation {
namespace {

using Real = long double;
constexpr Real pi = std::numbers::pi_v<Real>;

/// For x > 0: psi(x) = psi(x + 1) - 1 / x, and from 20 on the asymptotic series (DLMF 5.11.2).
Real digamma_positive(Real x) {
  // Near the zero at x0 its Taylor series: the terms below cancel there.
  constexpr Real zero = 1.4616321449683623413L, zero_low = -1.82570963159635e-20L;
  const Real d = (x - zero) - zero_low;
  constexpr Real taylor[]{
      0.9676722454476211704274L,  -0.4427631689835921060929L,  0.2584997609556510106244L,
      -0.1639427054424065275043L, 0.1078240506912623657572L,   -0.07219956125645471092612L,
      0.04880428816414310722509L, -0.03316112647484735929226L, 0.02259764823221810465962L,
      -0.0154247659049489591388L, 0.01053879161661217538812L};
  if (std::fabs(d) < 0.02L) {
    Real sum = 0;
    for (int k = 10; k >= 0; --k) sum = (sum + taylor[k]) * d;
    return sum;
  }
  Real shift = 0;
  for (; x < 20; x += 1) shift += 1 / x;
  // Bernoulli numbers B(2k) / (2k), k = 1 … 10.
  constexpr Real series[]{1.0L / 12,       -1.0L / 120, 1.0L / 252,      -1.0L / 240,      1.0L / 132,
                          -691.0L / 32760, 1.0L / 12,   -3617.0L / 8160, 43867.0L / 14364, -174611.0L / 6600};
  const Real inverse = 1 / (x * x);
  Real sum = 0;
  for (int k = 9; k >= 0; --k) sum = (sum + series[k]) * inverse;
  return std::log(x) - 0.5L / x - sum - shift;
}

}  // namespace

double lgamma(double x) { return static_cast<double>(std::lgamma(static_cast<Real>(x))); }

double digamma(double x) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (std::isnan(x) || (std::isinf(x) && x < 0)) return nan;
  if (std::isinf(x)) return x;
  if (x == 0) return std::copysign(std::numeric_limits<double>::infinity(), -x);
  if (x > 0) return static_cast<double>(digamma_positive(x));
  if (x == std::floor(x)) return nan;
  // By reflection (DLMF 5.5.4), the tangent of the distance to an integer alone: pi * x itself would lose it.
  const Real distance = static_cast<Real>(x) - std::nearbyint(x);
  return static_cast<double>(digamma_positive(1 - static_cast<Real>(x)) - pi / std::tan(pi * distance));
}

double normal_cdf(double x) {
  // erfc(-x / sqrt(2)) / 2: where the quotient's rounding counts, its effect is added, to first order.
  const Real root = std::numbers::sqrt2_v<Real>, root_low = std::fma(-root, root, Real{2}) / (2 * root);
  const Real z = -x / root, value = std::erfc(z);
  if (x >= 0 || value == 0) return static_cast<double>(value / 2);
  const Real lost = (std::fma(-z, root, -static_cast<Real>(x)) - z * root_low) / root;
  const Real slope = -2 * std::numbers::inv_sqrtpi_v<Real> * std::exp(-z * z);
  return static_cast<double>((value + slope * lost) / 2);
}

}  // namespace dlvm::evaluation
