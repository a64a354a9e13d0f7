// The error functions and the normal distribution. Polynomials interpolated at Chebyshev nodes in 60 digits.
#include <limits>

#include "codegen/math/functions.h"

namespace codegen::math {
namespace {

/// erf(x) for |x| <= 1, as x + x p(x^2).
SimdValue erf_small(SimdValue x) {
  const SimdValue z = x * x;
  const SimdValue p =
      x.is_double()
          ? polynomial(z, {0.12837916709551257, -0.376126389031837524, 0.112837916709551202,
                           -0.0268661706451298408, 0.00522397762542329831, -0.00085483270219348296,
                           0.000120553329028887354, -0.0000149256475675193321, 1.64620454414684189e-6,
                           -1.63646421581676153e-7, 1.4792401209404813e-8, -1.21645600572834501e-9,
                           8.70904512905310669e-11, -4.23094582429533782e-12})
          : polynomial(z, {0.128379167, -0.3761263847, 0.112837825, -0.02686543073, 0.005221031808,
                           -0.0008484080406, 0.0001126595903, -9.667044571e-6});
  return fma(x, p, x);
}

/// The part of a normal distribution beyond a >= 0, e^(-scale a^2) / (a + centre) * (base + p(t)): what is
/// left of it beside the exponential is smooth in t = (a - centre) / (a + centre) (M. M. Shepherd and J. G.
/// Laframboise, Chebyshev approximation of (1 + 2x) exp(x^2) erfc x, Math. Comp. 36, 1981).
struct Tail {
  double scale, centre, base, most;  ///< beyond `most` the result is 0
  std::initializer_list<double> coefficients;
};

/// Returns the tail, rounded once: all factors are sums of two numbers. The polynomial is steep near -1: t is
/// corrected by the remainder of its division.
SimdValue tail(SimdValue x, const Tail& of) {
  const SimdValue a = select(x > of.most, of.most, x);
  const SimdValue p = a + of.centre, p_low = a - (p - of.centre), r = 1 / p;
  const SimdValue q = (a - of.centre) * r, qa = q * a;
  const SimdValue difference = (q + 1) * -of.centre + a;  // a - centre - q centre
  const SimdValue t = fma((difference - qa) - product_error(q, a, qa), r, q);
  const SimdValue rp = r * p, r_low = r * (((1 - rp) - product_error(r, p, rp)) - r * p_low);
  const SimdValue s = polynomial(t, of.coefficients), g = s + of.base, g_low = s - (g - of.base);
  const SimdValue y = g * r, y_low = product_error(g, r, y) + fma(g, r_low, g_low * r);
  const SimdValue square = a * a;
  const Exponential e = exp_extended(square * -of.scale, product_error(a, a, square) * -of.scale);
  const SimdValue z = e.value.high * y;
  const SimdValue z_low = product_error(e.value.high, y, z) + fma(e.value.high, y_low, e.value.low * y);
  return rounded(Exponential{{z, z_low}, e.exponent});
}

/// erfc(x) for x >= 0.
SimdValue erfc_positive(SimdValue x) {
  if (!x.is_double())
    return tail(x, {1,
                    2,
                    1,
                    10.1,
                    {0.021582705, -0.6871606865, 0.2794721013, -0.03644213245, -0.02151069347, 0.006477937057,
                     0.003089593415, -0.0008314003237, -0.0006544096987, 2.467016506e-5, 0.0001205735667,
                     3.148239883e-5}});
  return tail(
      x, {1, 4, 1, 27.3, {0.095995661000491118,      -0.9765487290808821168,     0.7732087022652375908,
                          -0.5408538313132210142,    0.3308515878779803517,      -0.1740109372404169259,
                          0.07638151491005720187,    -0.02637005333264605873,    0.006112055647155079002,
                          -0.000280958933570534616,  -0.0004550526311160191479,  0.000176813185958426965,
                          -3.63535624189936619e-6,   -0.00001886214349007293128, 4.694769789602143175e-6,
                          1.42692657045868642e-6,    -8.465104078034651859e-7,   -7.917897139385447248e-8,
                          1.241272398342856245e-7,   3.584194280337122817e-9,    -1.523055087765104662e-8,
                          -7.226225720845654627e-10, 8.812683043308519299e-10}});
}

/// Returns c - a b where the difference of c to the rounded product is exact.
SimdValue difference_to_product(SimdValue c, SimdValue a, SimdValue b) {
  if (a.builder->features.fma) return fma(-a, b, c);
  const SimdValue product = a * b;
  return (c - product) - product_error(a, b, product);
}

/// Returns the probability in float that a standard normal variable is above a >= 0, within 3.3 ulp: what
/// `tail` would return, but only the square of a and the denominator are sums of two numbers. The relative
/// error of the denominator is added to the exponent.
Scaled normal_above_in_float(SimdValue a) {
  const auto number = [&](double value) { return a.builder->constant(a.value->getType(), value); };
  const SimdValue p = a + 2, p_low = a - (p - 2), r = 1 / p, t = fma(r, -4.0, number(1));
  const SimdValue error = fma(-r, p_low, difference_to_product(number(1), r, p));
  const SimdValue g =
      polynomial(t, {0.6724080047, -0.331404442, 0.02879738788, 0.03671838441, -0.0004701064129,
                     -0.006725688279, -0.001947958907, 0.0007917499083, 0.0008203614627, 0.0001840594254,
                     -0.000117706674, -9.579116199e-5, -2.170968947e-5});
  const SimdValue square = a * a;
  return exp_product(g * r, square * -0.5, fma(product_error(a, a, square), -0.5, error));
}

SimdValue normal_cdf_in_float(SimdValue x) {
  const SimdValue a = abs(x);
  const auto cdf = [&](SimdValue above) { return select(x > 0, 1 - above, above); };
  const auto far = [&] {
    return select(is_nan(x), x, cdf(rounded(normal_above_in_float(select(a > 14.3, 14.3, a)))));
  };
  return where_any(!(a < 12.5), far, [&] { return cdf(normal(normal_above_in_float(a))); });
}

/// The probability in double that a standard normal variable is above x, for x >= 0.
SimdValue normal_above(SimdValue x) {
  return tail(
      x, {0.5, 4, 0.75, 38.6, {0.0052851304157514929,     -0.607896641971892088,    0.3871374007422146439,
                               -0.1865218579596593499,    0.06039657489093094253,   -0.007540188966660316394,
                               -0.003479692367269457681,  0.001630818456623916192,  0.0001333443109548572183,
                               -0.0002310949274437212355, -1.908248237938190749e-6, 0.00003514464862147694502,
                               7.166202038364242611e-7,   -5.920058470829038887e-6, -6.295598739361726499e-7,
                               1.021327765574978288e-6,   2.715369241463660905e-7,  -1.546833513663871712e-7,
                               -8.506947991926039587e-8,  1.307188640717760891e-8,  1.935692373004485354e-8,
                               1.998710751055875131e-9,   -2.412021782844061747e-9, -7.371287245173975369e-10,
                               -1.801888384916421106e-11}});
}

}  // namespace

SimdValue erf(SimdValue x) {
  const SimdValue a = abs(x), small = a < 1;
  return select(small, erf_small(select(small, x, 0.0)),
                select(is_nan(x), x, copy_sign(1 - erfc_positive(a), x)));
}

SimdValue erfc(SimdValue x) {
  const SimdValue beyond = erfc_positive(abs(x));
  return select(is_nan(x), x, select(x < 0, 2 - beyond, beyond));
}

SimdValue normal_cdf(SimdValue x) {
  if (!x.is_double()) return normal_cdf_in_float(x);
  const SimdValue beyond = normal_above(abs(x));
  return select(is_nan(x), x, select(x > 0, 1 - beyond, beyond));
}

/// The exponent is c x (x^2 + 1 / 0.044715), as a sum of two numbers. Of the second term so few digits are
/// taken first that its difference to the sum is exact.
SimdValue gelu_tanh_odds(SimdValue x) {
  const bool wide = x.is_double();
  const auto constant = [&](double value) { return x.builder->constant(x.value->getType(), value); };
  const SimdValue c = constant(wide ? 0.07135481627260025 : 0.07135481387376785),
                  c_low = constant(wide ? -6.175149918155315e-19 : 2.3988324659995897e-09),
                  term = constant(wide ? 0x1.65d25edd9ed8p+4 : 0x1.65d26p+4);
  const double term_low = wide ? 7.068084733670861e-15 : -1.0817479889997765e-06;
  const SimdValue s = fma(x, x, term), s_low = fma_error(x, x, term, s) + term_low;
  const SimdValue t = x * s, t_low = fma(x, s_low, product_error(x, s, t));
  const SimdValue v = t * c, v_low = fma(t, c_low, fma(t_low, c, product_error(t, c, v)));
  return exp(v, v_low);
}

}  // namespace codegen::math
