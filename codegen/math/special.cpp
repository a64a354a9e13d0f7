// Error functions, lgamma, digamma. Polynomials interpolated at Chebyshev nodes in 60 digits.
#include <limits>
#include <numbers>

#include "codegen/math/functions.h"

namespace codegen::math {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// erf(x) for |x| <= 1, as x + x p(x^2).
Number erf_small(Number x) {
  const Number z = x * x;
  const Number p =
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

/// erfc(x) for x >= 0: (1 + 2x) exp(x^2) erfc(x) is smooth in t = (x - 3.75) / (x + 3.75) (M. M. Shepherd and
/// J. G. Laframboise, Chebyshev approximation of (1 + 2x) exp(x^2) erfc x, Math. Comp. 36, 1981).
Number erfc_positive(Number x) {
  const bool wide = x.is_double();
  const Number a = select(x > (wide ? 30 : 12), wide ? 30 : 12, x);
  const Number t = (a - 3.75) / (a + 3.75);
  const Number p =
      wide ? polynomial(t, {1.23751263083782758,      -0.14024059858554701,    0.00358541548546399819,
                            0.0822767384901498474,    -0.108803930141725614,   0.0923043211602444738,
                            -0.05869339859012449,     0.0283622774206984769,   -0.00974657955277553319,
                            0.00175562584036279909,   0.000293713632431154271, -0.000290154026208791303,
                            0.0000516492305143238236, 0.000022384090479955692, -0.0000114444868317116753,
                            -9.73299294105307204e-7,  1.75221842732558332e-6,  -5.75064756903022677e-8,
                            -2.59312156167670746e-7,  2.34539050762911248e-8,  3.91177573034086729e-8,
                            -3.80996560091834496e-9,  -5.34314223399344878e-9, 3.19368864686260274e-10,
                            4.52052362062750006e-10})
           : polynomial(t, {1.237512631, -0.1402405862, 0.003585443472, 0.0822761145, -0.1088048763,
                            0.09231272332, -0.05867963153, 0.02832164633, -0.009831012713, 0.001804253608,
                            0.0004807456595, -0.000210853428});
  const Number square = a * a;
  const Number e = exp_scaled(-square, -product_error(a, a, square), 0);
  return p / fma(a, 2, a.lanes->constant(a.value->getType(), 1)) * e;
}

/// log of gamma(x) / sqrt(2 pi) by Stirling's series (DLMF 5.11.1), for x >= 8.
Number stirling(Number x, Number log_x) {
  const Number inverse = 1 / x, z = inverse * inverse;
  const Number series = polynomial(z, {1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188,
                                       -691.0 / 360360, 1.0 / 156, -3617.0 / 122400});
  return (x - 0.5) * log_x - x + 0.91893853320467274178 + inverse * series;
}

/// lgamma for 0 < x < 8: by gamma(x + 1) = x gamma(x) into [1.5, 2.5], where lgamma(y) = (y - 1) (y - 2)
/// p(y).
Number lgamma_small(Number x) {
  const Number below1 = x < 0.5, below2 = x < 1.5;
  const Number divisor = select(below1, x * (x + 1), select(below2, x, 1));
  Number y = select(below1, x + 2, select(below2, x + 1, x));
  Number factor = divisor;  // only one of the two is not 1
  for (int i = 0; i < 6; ++i) {
    const Number above = y >= 2.5;
    y = select(above, y - 1, y);
    factor = select(above, factor * y, factor);
  }
  const Number d = y - 2;
  const Number p = polynomial(
      d, {0.422784335098467139, -0.100317301674353937, 0.0329650006211558336, -0.0123841921933674676,
          0.0049986411646954692, -0.00210813083422341474, 0.000915376922380599058, -0.000405707388978256258,
          0.000182552634973051181, -0.0000830952732553369395, 0.000038168959876181242,
          -0.0000176601940172711536, 8.22147891805962091e-6, -3.85631360931747798e-6, 1.8124087986144873e-6,
          -8.20898744272082209e-7, 3.88374809816034045e-7, -2.52548534295865133e-7, 1.20349077634686388e-7});
  // Near 1, the logarithm by log1p keeps the digits that cancel.
  const Number near_one = (x >= 0.5) & below2;
  const Number log_factor = select(near_one, log1p(x - 1), log(factor));
  return d * (d + 1) * p + select(below2, -log_factor, log_factor);
}

Number lgamma_positive(Number x) {
  return select(x < 8, lgamma_small(x), select(x == infinity, x, stirling(x, log(x))));
}

/// sin(pi x) and cos(pi x).
Number sine_pi(Number x) {
  const Number part = x - round_even(x);  // its sign follows below from sin being odd in `part`
  return sin(part * std::numbers::pi);
}

/// psi for x > 0: psi(x) = psi(x + 1) - 1 / x up to 10, then the asymptotic series (DLMF 5.11.2).
Number digamma_positive(Number x) {
  Number y = x, shift = x * 0;
  for (int i = 0; i < 10; ++i) {
    const Number below = y < 10;
    shift = select(below, shift + 1 / y, shift);
    y = select(below, y + 1, y);
  }
  const Number inverse = 1 / y, z = inverse * inverse;
  const Number series = z * polynomial(z, {1.0 / 12, -1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132,
                                           -691.0 / 32760, 1.0 / 12, -3617.0 / 8160});
  return select(x == infinity, x, log(y) - inverse * 0.5 - series - shift);
}

}  // namespace

Number erf(Number x) {
  const Number a = abs(x);
  return select(a < 1, erf_small(x), select(is_nan(x), x, copy_sign(1 - erfc_positive(a), x)));
}

Number erfc(Number x) {
  return in_double(x, [](Number x) {
    const Number a = abs(x), tail = erfc_positive(a);
    const Number outside = select(x < 0, 2 - tail, tail);
    return select(a < 0.5, 1 - erf_small(x), select(is_nan(x), x, outside));
  });
}

Number lgamma(Number x) {
  return in_double(x, [](Number x) {
    // Below 1/2 by reflection (DLMF 5.5.3): gamma(x) gamma(1 - x) = pi / sin(pi x).
    const Number reflected = x < 0;
    const Number positive = lgamma_positive(select(reflected, 1 - x, x));
    const Number sine = abs(sine_pi(x));
    const Number below = log(std::numbers::pi / sine) - positive;
    const Number pole = (x <= 0) & (x == floor(x));
    const Number infinite = pole | (abs(x) == infinity);
    return select(infinite, infinity, select(is_nan(x), x, select(reflected, below, positive)));
  });
}

Number digamma(Number x) {
  return in_double(x, [](Number x) {
    // psi(x) = psi(1 - x) - pi / tan(pi x) (DLMF 5.5.4), the tangent of the distance to an integer alone.
    const Number reflected = x < 0;
    const Number positive = digamma_positive(select(reflected, 1 - x, x));
    const Number part = (x - round_even(x)) * std::numbers::pi;
    const Number below = positive - std::numbers::pi / tan(part);
    const Number undefined = reflected & (x == floor(x));
    const Number value = select(undefined, nan, select(reflected, below, positive));
    return select(x == 0, copy_sign(x.lanes->constant(x.value->getType(), infinity), -x),
                  select(is_nan(x), x, value));
  });
}

}  // namespace codegen::math
