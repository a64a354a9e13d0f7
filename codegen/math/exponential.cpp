// Exponentials and logarithms: argument reduction by powers of two (W. J. Cody and W. Waite, Software Manual
// for the Elementary Functions, 1980), then polynomials: those interpolated at Chebyshev nodes in 60 digits,
// except that of the exponential in float32, which `exp_tail` describes.
#include <limits>

#include "codegen/math/functions.h"

namespace codegen::math {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double log2_e = 1.4426950408889634074, ln2 = 0.69314718055994530942;

/// x + low = k ln 2 + r with |r| <= ln 2 / 2; k is also in the low bits of `shifted`.
struct Reduced {
  SimdValue k, r, shifted;
};
Reduced reduce(SimdValue x, std::optional<SimdValue> low = std::nullopt) {
  const Ln2 split = split_ln2(x);
  const double magic = x.is_double() ? 0x1.8p52 : 0x1.8p23;
  const SimdValue shifted = fma(x, log2_e, x.builder->constant(x.value->getType(), magic)),
                  k = shifted - magic;
  const SimdValue r = fma(k, -split.low, fma(k, -split.high, x));
  return {k, low ? r + *low : r, shifted};
}

SimdValue clamp(SimdValue x, double low, double high) {
  return select(x < low, low, select(x > high, high, x));
}

/// (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2. In float32 the polynomial is the one of its degree for which the
/// largest relative error of e^r is least, 3.1e-9, found by weighted least squares; with its coefficients
/// rounded to float32 it is 3.8e-9. Pairs of its terms do not wait for each other (Estrin's scheme), because
/// a processor has few iterations of a loop at once.
SimdValue exp_tail(SimdValue r) {
  if (!r.is_double()) {
    const SimdValue first = polynomial(r, {0.4999999345, 0.1666652063}),
                    second = polynomial(r, {0.04166838805, 0.008368716879});
    const SimdValue square = r * r;
    return fma(fma(square, 0.001381459856, second), square, first);
  }
  return polynomial(
      r, {0.5, 0.166666666666666667, 0.0416666666666666778, 0.00833333333333333408, 0.0013888888888878269,
          0.000198412698412627626, 0.0000248015873385653456, 2.75573192486338255e-6, 2.75572610293437687e-7,
          2.50520695947956848e-8, 2.09189618377957781e-9, 1.60871772343807823e-10});
}

SimdValue exp_of_rest(SimdValue r) { return fma(r * r, exp_tail(r), r) + 1; }

/// log(m) + correction, for m near 1: with s = f / (2 + f), f = m - 1, log(1 + f) = 2 atanh(s), arranged
/// so that f enters unrounded (the identity 2 s = f - s f).
struct LogParts {
  SimdValue f, rest;  ///< log(1 + f) = f - rest
};
LogParts log_parts(SimdValue m, SimdValue correction) {
  const SimdValue f = m - 1, s = f / (f + 2), z = s * s, half_square = f * f * 0.5;
  const SimdValue rest =
      z * (f.is_double() ? polynomial(z, {0.666666666666666665, 0.400000000000008797, 0.285714285708019569,
                                          0.222222223920890079, 0.181817956000607924, 0.153862418819385955,
                                          0.132687147923480967, 0.130872361966596223})
                         : polynomial(z, {0.6666666655, 0.40000122, 0.2855080255, 0.2333096405}));
  return {f, half_square - fma(s, half_square + rest, correction)};
}

/// log(2^k m) + correction.
SimdValue log_sum(SimdValue k, SimdValue m, SimdValue correction) {
  const auto [high, low] = split_ln2(m);
  const auto [f, rest] = log_parts(m, fma(k, low, correction));
  return fma(k, high, f - rest);
}

}  // namespace

Ln2 split_ln2(SimdValue like) {
  return like.is_double() ? Ln2{0x1.62e42feep-1, 1.9082149292705877e-10}
                          : Ln2{0x1.62e4p-1, 1.4286068203094173e-06};
}

namespace {

/// Returns the number below which e^x is 0, also times 2.
double least_exponent(SimdValue x) { return x.is_double() ? -746 : -105; }

/// To where the result is 0 or infinite.
SimdValue clamped(SimdValue x) { return clamp(x, least_exponent(x), x.is_double() ? 711 : 90); }

/// e^r * 2^(k + shift), also where that over- or underflows, of x that `clamped` was reduced to r. Where x is
/// below, the result is a product with 0: one that underflows takes processors a hundred cycles.
SimdValue scaled(SimdValue x, const Reduced& reduced, double shift) {
  const auto& [k, r, shifted] = reduced;
  const SimdValue scale = shift == 0 ? k : k + shift, half = round_even(scale * 0.5);
  const SimdValue last = select(x < least_exponent(x), 0.0, power_of_two(scale - half));
  return exp_of_rest(r) * power_of_two(half) * last;
}

/// Returns e^x of x that was reduced, where that is a normal number in every lane. The bits are those of
/// `scaled`: the result of a lane must not depend on the others.
SimdValue exp_normal(const Reduced& reduced) {
  return normal(Scaled{exp_of_rest(reduced.r), reduced.k, reduced.shifted});
}

}  // namespace

Scaled exp_product(SimdValue factor, SimdValue x, SimdValue low) {
  const auto [k, r, shifted] = reduce(x, low);
  return {fma(fma(r * r, exp_tail(r), r), factor, factor), k, shifted};
}

SimdValue normal(const Scaled& x) {
  return from_bits(bits_of(x.value) + (bits_of(x.shifted) << (x.value.is_double() ? 52 : 23)));
}

SimdValue rounded(const Scaled& x) {
  const SimdValue half = round_even(x.exponent * 0.5);
  return x.value * power_of_two(half) * power_of_two(x.exponent - half);
}

SimdValue exp_scaled(SimdValue x, double shift) { return scaled(x, reduce(clamped(x)), shift); }

SimdValue exp(SimdValue x) {
  const SimdValue normal = abs(x) < (x.is_double() ? 708 : 87);
  return where_any(!normal, [&] { return exp_scaled(x, 0); }, [&] { return exp_normal(reduce(x)); });
}

SimdValue exp(SimdValue x, SimdValue low) {
  const SimdValue normal = abs(x) < (x.is_double() ? 708 : 87);
  const auto far = [&] {
    const SimdValue inside = clamped(x);
    return scaled(x, reduce(inside, select(inside == x, low, 0.0)), 0);
  };
  return where_any(!normal, far, [&] { return exp_normal(reduce(x, low)); });
}

Exponential exp_extended(SimdValue x, SimdValue low) {
  const auto [high, rest] = split_ln2(x);
  const SimdValue k = round_even(x * log2_e);
  const SimdValue whole = fma(k, -high, x), part = fma(k, -rest, low);  // the first exact
  const SimdValue r = whole + part, r_low = (whole - r) + part;
  const SimdValue value = r + 1, tail = fma(r * r, exp_tail(r), fma(r_low, r, r_low));
  return {{value, (r - (value - 1)) + tail}, k};
}

SimdValue rounded(const Exponential& e) {
  return rounded(Scaled{e.value.high + e.value.low, e.exponent, e.exponent});
}

SimdValue expm1(SimdValue x) {
  const double most = x.is_double() ? 709.79 : 88.73, least = x.is_double() ? -45 : -20;
  const auto [k, r, shifted] = reduce(clamp(x, least, most));
  const SimdValue value = fma(r * r, exp_tail(r), r);
  const SimdValue half_scale = power_of_two(k - 1);
  const SimdValue result = (fma(half_scale, value, half_scale - 0.5)) * 2;
  return select(x == 0, x, select(x > most, infinity, result));
}

Decomposed decompose(SimdValue x) {
  const bool wide = x.is_double();
  SimdBuilder& l = *x.builder;
  const auto integer = [&](std::uint64_t value) {
    return l.integer_constant(l.integer(wide ? 64 : 32), value);
  };
  const SimdValue tiny = x < (wide ? 0x1p-1022 : 0x1p-126);
  const SimdValue bits = bits_of(select(tiny, x * (wide ? 0x1p54 : 0x1p25), x));
  const SimdValue root = integer(wide ? 0x3fe6a09e00000000 : 0x3f3504f3);  // sqrt(1/2)
  const SimdValue shifted = bits + (integer(wide ? 0x3ff0000000000000 : 0x3f800000) - root);
  const SimdValue mantissa = from_bits((shifted & integer(wide ? 0xfffffffffffff : 0x7fffff)) + root);
  const SimdValue field = shift_right(shifted, wide ? 52 : 23);
  const double magic = wide ? 0x1p52 : 0x1p23, bias = wide ? 1023 : 127;
  const SimdValue biased = from_bits(field | bits_of(l.constant(x.value->getType(), magic)));
  const SimdValue exponent = biased - (magic + bias);
  return {select(tiny, exponent - (wide ? 54 : 25), exponent), mantissa};
}

SimdValue log(SimdValue x) {
  const auto [k, m] = decompose(x);
  const SimdValue value = log_sum(k, m, k * 0);
  return select(is_nan(x) | (x == infinity), x, select(x < 0, nan, select(x == 0, -infinity, value)));
}

Pair log_extended(SimdValue x) {
  const auto [k, m] = decompose(x);
  const auto [high, low] = split_ln2(m);
  const auto [f, rest] = log_parts(m, k * low);
  const SimdValue part = f - rest, part_low = (f - part) - rest;  // |f| > |rest|
  const SimdValue lead = k * high, sum = lead + part;             // the product is exact
  return {sum, (part - (sum - lead)) + part_low};                 // k is 0, or |lead| > |part|
}

SimdValue rounded_log(Pair x) {
  const auto [k, m] = decompose(x.high);
  return log_sum(k, m, x.low / x.high);
}

SimdValue log1p(SimdValue x) {
  const SimdValue u = x + 1;
  const SimdValue lost = select(x > 1, 1 - (u - x), x - (u - 1));  // u + lost = 1 + x
  const auto [k, m] = decompose(u);
  const SimdValue value = log_sum(k, m, lost / u);
  const SimdValue inside = select(u < 0, nan, select(u == 0, -infinity, value));
  return select(is_nan(x) | (x == infinity) | (x == 0), x, inside);
}

SimdValue sinh(SimdValue x) {
  return in_double(x, [](SimdValue x) {
    const SimdValue a = abs(x), e = expm1(a);
    const SimdValue small = (e + e / (e + 1)) * 0.5;
    const SimdValue large = exp_scaled(a, -1);
    return copy_sign(select(is_nan(x), x, select(a > 22, large, small)), x);
  });
}

SimdValue cosh(SimdValue x) {
  return in_double(x, [](SimdValue x) {
    const SimdValue a = abs(x), e = exp_scaled(a, -1);
    return e + 0.25 / e;
  });
}

SimdValue tanh(SimdValue x) {
  const SimdValue a = abs(x);
  if (x.is_double()) {
    const SimdValue e = expm1(select(a > 22, 22, a) * 2);
    return select(is_nan(x), x, copy_sign(e / (e + 2), x));
  }
  const auto [k, r, shifted] = reduce(select(a > 10, 10, a) * 2);  // at most 20
  const SimdValue scale = normal(Scaled{x.builder->constant(x.value->getType(), 1), k, shifted});
  const SimdValue e = fma(scale, fma(r * r, exp_tail(r), r), scale - 1);  // e^2a - 1
  return copy_sign(e / (e + 2), x);
}

SimdValue asinh(SimdValue x) {
  return in_double(x, [](SimdValue x) {
    const SimdValue a = abs(x), square = a * a;
    const SimdValue value = log1p(a + square / (sqrt(square + 1) + 1));
    return copy_sign(select(a > 0x1p28, log(a) + ln2, value), x);
  });
}

SimdValue acosh(SimdValue x) {
  return in_double(x, [](SimdValue x) {
    const SimdValue t = x - 1;
    const SimdValue value = log1p(t + sqrt(t * 2 + t * t));
    return select(x < 1, nan, select(x > 0x1p28, log(x) + ln2, value));
  });
}

SimdValue atanh(SimdValue x) {
  return in_double(x, [](SimdValue x) {
    const SimdValue a = abs(x);
    return copy_sign(select(a > 1, nan, log1p(a * 2 / (1 - a)) * 0.5), x);
  });
}

}  // namespace codegen::math
