// The logarithm of the gamma function and its derivative. Polynomials interpolated at Chebyshev nodes in 60
// digits. Of a float, what is positive is computed in float; what is negative, which is rare, in double where
// a lane has it: there the terms cancel.
#include <limits>
#include <numbers>

#include "codegen/math/functions.h"
#include "codegen/math/gamma_zeros.h"

namespace codegen::math {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// 1 less than where lgamma is least and digamma 0, as two numbers.
Pair least_minus_1(SimdValue like) {
  const auto constant = [&](double value) { return like.builder->constant(like.value->getType(), value); };
  return like.is_double() ? Pair{constant(0.46163214496836236), constant(-1.5522348162858677e-17)}
                          : Pair{constant(0.4616321325302124), constant(1.2438149938918910e-8)};
}

/// lgamma(h + 1) for -0.27 <= h <= 1.5: near 1, near its least value, near 2, each as its value and its slope
/// there and a polynomial times the square of the distance.
SimdValue lgamma_near_one(SimdValue h) {
  const bool wide = h.is_double();
  const auto constant = [&](double value) { return h.builder->constant(h.value->getType(), value); };
  const SimdValue at_one = h < 0.23, at_least = h < 0.73, b = h - 1;
  const auto [root, root_low] = least_minus_1(h);
  const SimdValue c = (h - root) - root_low;
  const SimdValue p =
      wide ? polynomial(h, {0.8224670334241132196, -0.4006856343865321681, 0.2705808084277816686,
                            -0.2073855510280323148, 0.1695571769985925741, -0.1440498969312110118,
                            0.1255096693047491832, -0.1113342473658631106, 0.1000994804799790975,
                            -0.09095514239363821609, 0.08335242037599493144, -0.07689330052943632086,
                            0.07148501429452858216, -0.06746072581905911227, 0.0614045683280052089,
                            -0.05002906106889777901, 0.06759388366607341081, -0.09752685187064274482})
           : polynomial(h, {0.822467021, -0.4006853268, 0.2705869539, -0.2074391747, 0.169069371,
                            -0.1417210079, 0.1381231635, -0.1435341734});
  const SimdValue p_least =
      wide ? polynomial(c, {0.4838361227238105897, -0.147587722994530839, 0.06462494023890477627,
                            -0.03278854108839354434, 0.01797067511750303185, -0.01031422305338824906,
                            0.006100535775874274501, -0.003684568166070118119, 0.002259777088165803296,
                            -0.001402316189249506042, 0.0008779248285187245474, -0.0005526252418809513145,
                            0.0003554927788971002959, -0.0002440185482113709562, 0.0001328494197940702874})
           : polynomial(c, {0.4838361244, -0.1475878076, 0.06462433818, -0.03277726673, 0.01799901219,
                            -0.01069567175, 0.005875094343});
  const SimdValue p_two =
      wide ? polynomial(b, {0.3224670334241132099, -0.06735230105319803569, 0.02058080842779141446,
                            -0.007385551028698451792, 0.002890510329835104337, -0.001192753908482960865,
                            0.0005096695670267653797, -0.0002231549355348499932, 0.00009945671875729682309,
                            -0.00004492177122723025327, 0.00002051081072091167216, -9.489245973101954951e-6,
                            4.429965712364322467e-6, -1.875557208999935349e-6, 4.852355671334052964e-7})
           : polynomial(b, {0.3224670362, -0.06735226995, 0.02058028138, -0.007386795512, 0.002906892527,
                            -0.001197006438, 0.0003787455925});
  const double least = wide ? -0.12148629053584961 : -0.12148629128932953,
               min_low = wide ? 3.364991468e-18 : 7.53479920713e-10;
  const auto of = [&](SimdValue one, SimdValue where_least, SimdValue two) {
    return select(at_one, one, select(at_least, where_least, two));
  };
  const SimdValue f = of(h, c, b), zero = constant(0);
  const SimdValue slope = of(constant(-0.57721566490153286), zero, constant(0.42278433509846714));
  const SimdValue curve = fma(f * f, of(p, p_least, p_two), of(zero, constant(min_low), zero));
  return fma(f, slope, of(zero, constant(least), zero) + curve);
}

/// For 0 < x < 8 by gamma(x + 1) = x gamma(x) from where a polynomial holds; beyond by Stirling's series
/// (DLMF 5.11.1), (x - 1/2) (log x - 1) + (log(2 pi) - 1) / 2 + ….
SimdValue lgamma_positive(SimdValue x) {
  const SimdValue small = x < 0.73, large = x >= 8;
  SimdValue h = select(small, x, x - 1), product = x.builder->constant(x.value->getType(), 1);
  for (int i = 0; i < 6; ++i) {
    const SimdValue above = (h >= 1.5) & !large;
    product = select(above, product * h, product);
    h = select(above, h - 1, h);
  }
  const Pair log = log_extended(select(small | large, x, product));
  const SimdValue log_high = select(small, -log.high, log.high), log_low = select(small, -log.low, log.low);
  const SimdValue near = log_high + (log_low + lgamma_near_one(select(large, 0.0, h)));
  const SimdValue inverse = 1 / select(large, x, 8.0), z = inverse * inverse;
  const SimdValue series = x.is_double()
                               ? polynomial(z, {1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188,
                                                -691.0 / 360360, 1.0 / 156, -3617.0 / 122400})
                               : polynomial(z, {1.0 / 12, -1.0 / 360, 1.0 / 1260});
  const SimdValue left = x - 0.5, right = log.high - 1, lead = left * right;
  const SimdValue error = product_error(left, right, lead) + left * log.low;
  const SimdValue lead_low = select(x < 0x1p60, error, 0.0);  // beyond, the product's error may overflow
  const SimdValue far = lead + (lead_low + fma(inverse, series, 0.41893853320467274178));
  return select(x == infinity, x, select(large, far, near));
}

/// psi(x) for x > 0: psi(x) = psi(x + 1) - 1 / x into [1, 2.4617], beyond `most` by the asymptotic series
/// (DLMF 5.11.2).
SimdValue digamma_positive(SimdValue x) {
  const bool wide = x.is_double();
  const double most = wide ? 7 : 4;
  const auto constant = [&](double value) { return x.builder->constant(x.value->getType(), value); };
  const SimdValue small = x < 1, large = x >= most;
  SimdValue h = select(small, x, x - 1), numerator = select(small, constant(-1), constant(0)),
            denominator = select(small, x, 1.0);
  for (int i = 2; i < most; ++i) {
    const SimdValue above = (h >= 1.4617) & !large;
    numerator = select(above, fma(numerator, h, denominator), numerator);
    denominator = select(above, denominator * h, denominator);
    h = select(above, h - 1, h);
  }
  h = select(large, 0.0, h);
  const auto [root, root_low] = least_minus_1(h);
  const SimdValue g = h - 0.73, d = h - root;
  const SimdValue p =
      wide ? polynomial(g, {-0.1352281767378084922,    -0.3326396288789131944,     0.1621667930135893786,
                            -0.08597140174927553681,   0.04737484030965587171,     -0.02663685584460543052,
                            0.01514532842532203145,    -0.008667419463937654633,   0.004979386750627921288,
                            -0.002867322018287866332,  0.001653476556033214006,    -0.0009543475290575529366,
                            0.0005511767834604235791,  -0.0003184090091126783197,  0.0001837326480107420744,
                            -0.0001061916919312589588, 0.00006231152481922086202,  -0.00003597800390536557859,
                            0.00001838451667135092926, -0.00001069753033666538039, 0.00001036443806991687667,
                            -5.903485750031986359e-6,  -1.264107675917654004e-6,   6.685746271303660408e-7,
                            2.659006369469131856e-6,   -1.517609381663638193e-6})
           : polynomial(g, {-0.1352281768, -0.3326395854, 0.1621667737, -0.08597366773, 0.04737600483,
                            -0.02660342305, 0.01512731075, -0.008875929736, 0.005094654998, -0.002250825075,
                            0.001306788241, -0.001777132739, 0.001020079064});
  // psi = d (1 + p) less what is left of the root, which counts near it, where the slope is 0.967….
  const SimdValue rest = fma(d, p, root_low * -0.96767224544762117);
  const SimdValue near = numerator / denominator + (d + rest);
  const SimdValue beyond = select(large, x, 8.0), inverse = 1 / beyond, z = inverse * inverse;
  const SimdValue series =
      wide ? polynomial(z, {1.0 / 12, -1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132, -691.0 / 32760, 1.0 / 12,
                            -3617.0 / 8160, 43867.0 / 14364, -174611.0 / 6600, 854513.0 / 3036})
           : polynomial(z, {1.0 / 12, -1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132});
  const Pair log = log_extended(beyond);
  const SimdValue far = log.high + (log.low - fma(z, series, inverse * 0.5));
  return select(x == infinity, x, select(large, far, near));
}

/// `value`, but `compute` of x in lanes that are `near` a zero; in others it computes with `quick`, of which
/// it is done soon. What will be rounded to a float needs none of that.
SimdValue unless_near(SimdValue near, SimdValue value, SimdValue x, bool wide,
                      SimdValue (*compute)(SimdValue), double quick) {
  if (!wide) return value;
  const auto far = [&] { return select(near, compute(select(near, x, quick)), value); };
  return where_any(near, far, [&] { return value; });
}

/// By reflection (DLMF 5.5.3): gamma(x) gamma(-x) = pi / (x sin(pi x)), of a double. The sine is that of the
/// distance to an integer, which is exact; its sign does not count.
SimdValue lgamma_negative(SimdValue x, bool wide) {
  const SimdValue tiny = x > -0x1p-60, a = select(tiny, 0.5, -x);
  const SimdValue d = abs(a - round_even(a)), z = d * d;
  const SimdValue p =
      polynomial(z, {-5.167712780049970019, 2.550164039877340099, -0.5992645293203430348,
                     0.08214588659675232194, -0.007370430719634586526, 0.000466300874114963632,
                     -0.00002190620165513195799, 7.725743030789875877e-7});
  const SimdValue sine = d * fma(z, p, std::numbers::pi);
  const SimdValue taken = lgamma_positive(a), reflected = log(std::numbers::pi / (a * sine)) - taken;
  const SimdValue value = select(tiny, -log(-x), reflected), size = abs(value);
  const SimdValue near = (x > -40) & ((size < 2) | (size < taken));
  return select(x == floor(x), infinity, unless_near(near, value, x, wide, lgamma_near_zero, -2.5));
}

/// psi(x) = psi(1 - x) - pi cot(pi x) (DLMF 5.5.4), of a double. The cotangent is that of the distance to an
/// integer, which is exact.
SimdValue digamma_negative(SimdValue x, bool wide) {
  const SimdValue d = x - round_even(x), z = d * d;
  const SimdValue p = polynomial(
      z, {-3.289868133696452901, -2.164646467422226418, -2.03468612398377945, -2.008154710650886724,
          -2.001989257120564222, -2.000488244509255902, -2.000216397061563245, -1.998498992388561875,
          -2.017548278070919135, -1.856986906234011091, -2.830459702796461636, 1.383714800289151215,
          -11.31988253415606564, 14.00913635189951057, -16.01044155535010033});
  const SimdValue given = digamma_positive(1 - x), value = given - fma(z, p, 1) / d, size = abs(value);
  const SimdValue near = (size < 1.25) | (size < given * 1.25);
  return select(x == floor(x), nan, unless_near(near, value, x, wide, digamma_near_zero, -32.5));
}

/// `positive` of each lane; where lanes are below 0, `negative` of these, told whether x is a double.
SimdValue by_sign(SimdValue x, SimdValue (*positive)(SimdValue), SimdValue (*negative)(SimdValue, bool)) {
  const SimdValue below = x < 0, above = positive(select(below, 1.0, x));
  const auto with_negative = [&] {
    const auto reflected = [&](SimdValue value) { return negative(value, x.is_double()); };
    const SimdValue far_from_zeros = select(below, x, -0.0625);
    return select(below, in_double(far_from_zeros, reflected), above);
  };
  return where_any(below, with_negative, [&] { return above; });
}

}  // namespace

SimdValue lgamma(SimdValue x) {
  const SimdValue value = by_sign(x, lgamma_positive, lgamma_negative);
  return select((x == 0) | (abs(x) == infinity), infinity, select(is_nan(x), x, value));
}

SimdValue digamma(SimdValue x) {
  const SimdValue value = by_sign(x, digamma_positive, digamma_negative);
  const SimdValue at_zero = copy_sign(x.builder->constant(x.value->getType(), infinity), -x);
  return select(x == 0, at_zero, select(is_nan(x), x, select(x == -infinity, nan, value)));
}

}  // namespace codegen::math
