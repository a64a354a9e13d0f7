#include <cmath>
#include <limits>
#include <numbers>

#include "dlvm/interpret/special_functions.h"

namespace dlvm::evaluation {
namespace {

using Real = long double;

/// A sum of two numbers, with about twice the digits of one (T. J. Dekker, A floating-point technique, 1971).
struct Wide {
  Real high, low = 0;
};
Wide ordered_sum(Real a, Real b) {
  const Real sum = a + b;
  return {sum, b - (sum - a)};
}
Wide operator+(Wide a, Wide b) {
  const Real sum = a.high + b.high, added = sum - a.high;
  const Real error = (a.high - (sum - added)) + (b.high - added);
  return ordered_sum(sum, error + (a.low + b.low));
}
Wide operator-(Wide a) { return {-a.high, -a.low}; }
Wide operator-(Wide a, Wide b) { return a + -b; }
Wide operator*(Wide a, Wide b) {
  const Real p = a.high * b.high;
  return ordered_sum(p, std::fma(a.high, b.high, -p) + (a.high * b.low + a.low * b.high));
}
Wide operator/(Wide a, Wide b) {
  const Real q = a.high / b.high;
  return ordered_sum(q, (std::fma(-q, b.high, a.high) + (a.low - q * b.low)) / b.high);
}

constexpr Wide wide_pi{3.141592653589793238512809L, -5.016557612668332023451758e-20L},
    wide_ln2{0.6931471805599453094286905L, -1.145835272679873281094621e-20L};

/// k ln 2 + 2 (s + s^3 / 3 + …), s = (m - 1) / (m + 1), for x = 2^k m.
Wide log(Wide x) {
  const int k = std::ilogb(x.high);
  const Wide m{std::ldexp(x.high, -k), std::ldexp(x.low, -k)};
  const Wide s = (m - Wide{1}) / (m + Wide{1}), z = s * s;
  Wide sum{0};
  for (int n = 81; n > 0; n -= 2) sum = sum * z + Wide{2} / Wide{static_cast<Real>(n)};
  return Wide{static_cast<Real>(k)} * wide_ln2 + s * sum;
}
Real log(Real x) { return std::log(x); }

/// pi cot(pi f) for |f| <= 1/2, by the series of cosine and sine.
Wide pi_cotangent(Real f) {
  const Wide t = wide_pi * Wide{f};
  Wide cosine{1}, sine = t, term = t;
  for (int n = 2; n < 44; ++n) {
    term = term * t / Wide{static_cast<Real>(n)};
    Wide& sum = n % 2 == 0 ? cosine : sine;
    sum = n / 2 % 2 == 0 ? sum + term : sum - term;
  }
  return wide_pi * cosine / sine;
}

Real high(Wide x) { return x.high; }
Real high(Real x) { return x; }

/// For x > 0: psi(x) = psi(x + 1) - 1 / x, and from `enough` on the asymptotic series (DLMF 5.11.2).
template <typename Number>
Number digamma_positive(Number x, Real enough) {
  constexpr int terms = 10;
  constexpr Real series[terms][2]{{1, 12},       {-1, 120}, {1, 252},      {-1, 240},      {1, 132},
                                  {-691, 32760}, {1, 12},   {-3617, 8160}, {43867, 14364}, {-174611, 6600}};
  const Number one{1};
  Number sum{0}, shift{0};
  for (; high(x) < enough; x = x + one) shift = shift + one / x;
  const Number inverse = one / x, square = inverse * inverse;
  for (int k = terms - 1; k >= 0; --k) sum = (sum + Number{series[k][0]} / Number{series[k][1]}) * square;
  return log(x) - inverse * Number{0.5L} - sum - shift;
}

}  // namespace

double digamma(double x) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (std::isnan(x) || (std::isinf(x) && x < 0)) return nan;
  if (std::isinf(x)) return x;
  if (x == 0) return std::copysign(std::numeric_limits<double>::infinity(), -x);
  if (x < 0 && x == std::floor(x)) return nan;
  // Of a negative number by reflection (DLMF 5.5.4), with the cotangent of the distance to an integer, which
  // is exact. Where these two or the terms of the series cancel, they are computed as sums of two numbers.
  const Real distance = static_cast<Real>(x) - std::nearbyint(x);
  const Real above = x > 0 ? x : 1 - static_cast<Real>(x), value = digamma_positive(above, 20);
  const Real reflected = x > 0 ? 0 : std::numbers::pi_v<Real> / std::tan(std::numbers::pi_v<Real> * distance);
  if (std::fabs(value - reflected) >= std::fmax(1.0L, value)) return static_cast<double>(value - reflected);
  const Wide accurate = digamma_positive(Wide{above}, 64);
  return static_cast<double>((x > 0 ? accurate : accurate - pi_cotangent(distance)).high);
}

}  // namespace dlvm::evaluation
