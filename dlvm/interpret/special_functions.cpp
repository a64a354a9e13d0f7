#include "dlvm/interpret/special_functions.h"

#include <cmath>
#include <numbers>

namespace dlvm::evaluation {
namespace {

using Real = long double;

}  // namespace

double lgamma(double x) { return static_cast<double>(std::lgamma(static_cast<Real>(x))); }

double normal_cdf(double x) {
  // erfc(-x / sqrt(2)) / 2: where the quotient's rounding counts, its effect is added, to first order.
  const Real root = std::numbers::sqrt2_v<Real>, root_low = std::fma(-root, root, Real{2}) / (2 * root);
  const Real z = -x / root, value = std::erfc(z);
  if (x >= 0 || value == 0) return static_cast<double>(value / 2);
  const Real lost = (std::fma(-z, root, -static_cast<Real>(x)) - z * root_low) / root;
  const Real slope = -2 * std::numbers::inv_sqrtpi_v<Real> * std::exp(-z * z);
  return static_cast<double>((value + slope * lost) / 2);
}

double gelu_tanh_odds(double x) {
  // The exponent is x (c0 + c1 x^2); the rounding errors of its terms are added to first order.
  constexpr Real c0 = 1.595769121605730711706272L, c0_low = 5.3511778e-20L;
  constexpr Real c1 = 0.07135481627260024877721376L, c1_low = -8.7500621e-22L;
  const Real z = static_cast<Real>(x) * x, q = c1 * z, w = q + c0, v = x * w;
  if (!(std::fabs(v) < 800)) return static_cast<double>(std::exp(v));
  const Real z_low = std::fma(Real{x}, Real{x}, -z);
  const Real q_low = std::fma(c1, z, -q) + (c1 * z_low + c1_low * z);
  const Real larger = std::fmax(q, c0), sum_low = std::fmin(q, c0) - (w - larger);
  const Real v_low = std::fma(Real{x}, w, -v) + x * (sum_low + (q_low + c0_low));
  return static_cast<double>(std::exp(v) * (1 + v_low));
}

}  // namespace dlvm::evaluation
