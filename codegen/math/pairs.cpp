#include "codegen/math/pairs.h"

namespace codegen::math {
namespace {

/// a + b exactly, for |a| >= |b|.
Pair ordered_sum(SimdValue a, SimdValue b) {
  const SimdValue sum = a + b;
  return {sum, b - (sum - a)};
}

}  // namespace

Pair exact_sum(SimdValue a, SimdValue b) {
  const SimdValue sum = a + b, added = sum - a;
  return {sum, (a - (sum - added)) + (b - added)};
}

Pair operator+(Pair a, Pair b) {
  const Pair high = exact_sum(a.high, b.high), low = exact_sum(a.low, b.low);
  const Pair sum = ordered_sum(high.high, high.low + low.high);
  return ordered_sum(sum.high, sum.low + low.low);
}

Pair operator-(Pair a) { return {-a.high, -a.low}; }

Pair operator*(Pair a, Pair b) {
  const SimdValue p = a.high * b.high;
  return ordered_sum(p, product_error(a.high, b.high, p) + fma(a.high, b.low, a.low * b.high));
}

Pair operator/(Pair a, Pair b) {
  const SimdValue q = a.high / b.high, p = q * b.high;
  const SimdValue left = ((a.high - p) - product_error(q, b.high, p)) + (a.low - q * b.low);
  return ordered_sum(q, left / b.high);
}

Pair constant(SimdValue like, Constant value) {
  const auto number = [&](double v) { return like.builder->constant(like.value->getType(), v); };
  return {number(value[0]), number(value[1])};
}

// From step to step, the higher number depends on the higher one alone, and the lower one is not normalized:
// that keeps the chain of dependent operations short.
Pair polynomial(Pair x, std::initializer_list<Constant> leading, std::initializer_list<double> rest) {
  SimdValue high = polynomial(x.high, rest), low = x.high * 0;
  for (const Constant* c = leading.end(); c != leading.begin();) {
    const Pair coefficient = constant(x.high, *--c);
    const SimdValue p = high * x.high, lost = fma(high, x.low, product_error(high, x.high, p));
    const Pair sum = exact_sum(p, coefficient.high);
    low = fma(low, x.high, lost + (sum.low + coefficient.low));
    high = sum.high;
  }
  return ordered_sum(high, low);
}

/// Returns k log(2) + log(m) for x = 2^k m, log(m) by the series 2 s (1 + s^2 / 3 + s^4 / 5 …), s = (m - 1) /
/// (m + 1).
Pair log(Pair x) {
  const auto [k, m] = decompose(x.high);
  const Pair mantissa{m, x.low * power_of_two(-k)}, one = constant(m, {1, 0});
  const Pair s = (mantissa + -one) / (mantissa + one);
  const Pair series = polynomial(
      s * s,
      {{2, 0},
       {0.6666666666666666, 3.700743415417188e-17},
       {0.4, -2.2204460492503132e-17},
       {0.2857142857142857, 1.586032892321652e-17},
       {0.2222222222222222, 1.2335811384723961e-17},
       {0.18181818181818182, -5.046468293750712e-18},
       {0.15384615384615385, -8.540177112501205e-18},
       {0.13333333333333333, 1.8503717077085942e-18},
       {0.11764705882352941, 1.6326809185664067e-18},
       {0.10526315789473684, 5.843279076974508e-18},
       {0.09523809523809523, 5.28677630773884e-18}},
      {2.0 / 23, 2.0 / 25, 2.0 / 27, 2.0 / 29, 2.0 / 31, 2.0 / 33, 2.0 / 35, 2.0 / 37, 2.0 / 39, 2.0 / 41});
  const Pair ln2 = constant(m, {0.6931471805599453, 2.3190468138462996e-17});
  return Pair{k, k * 0} * ln2 + s * series;
}

}  // namespace codegen::math
