// Exponentials and logarithms: argument reduction by powers of two (W. J. Cody and W. Waite, Software Manual
// for the Elementary Functions, 1980), then polynomials interpolated at Chebyshev nodes in 60 digits.
#include <limits>

#include "codegen/math/functions.h"

namespace codegen::math {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double log2_e = 1.4426950408889634074, ln2 = 0.69314718055994530942;

/// x + low = k ln 2 + r with |r| <= ln 2 / 2; k is also in the low bits of `shifted`.
struct Reduced {
  Number k, r, shifted;
};
Reduced reduce(Number x, std::optional<Number> low = std::nullopt) {
  const Ln2 split = split_ln2(x);
  const double magic = x.is_double() ? 0x1.8p52 : 0x1.8p23;
  const Number shifted = fma(x, log2_e, x.lanes->constant(x.value->getType(), magic)), k = shifted - magic;
  const Number r = fma(k, -split.low, fma(k, -split.high, x));
  return {k, low ? r + *low : r, shifted};
}

Number clamp(Number x, double low, double high) { return select(x < low, low, select(x > high, high, x)); }

/// (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2.
Number exp_tail(Number r) {
  if (!r.is_double())
    return polynomial(r, {0.5, 0.1666666668, 0.04166645681, 0.008333310024, 0.001393454193, 0.0001989198131});
  return polynomial(
      r, {0.5, 0.166666666666666667, 0.0416666666666666778, 0.00833333333333333408, 0.0013888888888878269,
          0.000198412698412627626, 0.0000248015873385653456, 2.75573192486338255e-6, 2.75572610293437687e-7,
          2.50520695947956848e-8, 2.09189618377957781e-9, 1.60871772343807823e-10});
}

Number exp_of_rest(Number r) { return fma(r * r, exp_tail(r), r) + 1; }

/// log(m) + correction, for m near 1: with s = f / (2 + f), f = m - 1, log(1 + f) = 2 atanh(s), arranged
/// so that f enters unrounded (the identity 2 s = f - s f).
struct LogParts {
  Number f, rest;  ///< log(1 + f) = f - rest
};
LogParts log_parts(Number m, Number correction) {
  const Number f = m - 1, s = f / (f + 2), z = s * s, half_square = f * f * 0.5;
  const Number rest =
      z * (f.is_double() ? polynomial(z, {0.666666666666666665, 0.400000000000008797, 0.285714285708019569,
                                          0.222222223920890079, 0.181817956000607924, 0.153862418819385955,
                                          0.132687147923480967, 0.130872361966596223})
                         : polynomial(z, {0.6666666655, 0.40000122, 0.2855080255, 0.2333096405}));
  return {f, half_square - fma(s, half_square + rest, correction)};
}

/// log(2^k m) + correction.
Number log_sum(Number k, Number m, Number correction) {
  const auto [high, low] = split_ln2(m);
  const auto [f, rest] = log_parts(m, fma(k, low, correction));
  return fma(k, high, f - rest);
}

}  // namespace

Ln2 split_ln2(Number like) {
  return like.is_double() ? Ln2{0x1.62e42feep-1, 1.9082149292705877e-10}
                          : Ln2{0x1.62e4p-1, 1.4286068203094173e-06};
}

namespace {

/// To where the result is 0 or infinite.
Number clamped(Number x) { return x.is_double() ? clamp(x, -746, 711) : clamp(x, -105, 90); }

/// e^r * 2^(k + shift), also where that over- or underflows.
Number scaled(const Reduced& reduced, double shift) {
  const auto& [k, r, shifted] = reduced;
  const Number scale = shift == 0 ? k : k + shift, half = round_even(scale * 0.5);
  return exp_of_rest(r) * power_of_two(half) * power_of_two(scale - half);
}

/// Where every lane's result is a normal number, k is added to its exponent. The bits are those of `scaled`:
/// the result of a lane must not depend on the others.
Number exp_normal(const Reduced& reduced) {
  const unsigned fraction = reduced.r.is_double() ? 52 : 23;
  return from_bits(bits_of(exp_of_rest(reduced.r)) + (bits_of(reduced.shifted) << fraction));
}

}  // namespace

Number exp_scaled(Number x, double shift) { return scaled(reduce(clamped(x)), shift); }

Number exp(Number x) {
  const Number normal = abs(x) < (x.is_double() ? 708 : 87);
  return where_any(
      !normal, [&] { return exp_scaled(x, 0); }, [&] { return exp_normal(reduce(x)); });
}

Number exp(Number x, Number low) {
  const Number normal = abs(x) < (x.is_double() ? 708 : 87);
  const auto far = [&] {
    const Number inside = clamped(x);
    return scaled(reduce(inside, select(inside == x, low, 0.0)), 0);
  };
  return where_any(!normal, far, [&] { return exp_normal(reduce(x, low)); });
}

Exponential exp_extended(Number x, Number low) {
  const auto [high, rest] = split_ln2(x);
  const Number k = round_even(x * log2_e);
  const Number whole = fma(k, -high, x), part = fma(k, -rest, low);  // the first exact
  const Number r = whole + part, r_low = (whole - r) + part;
  const Number value = r + 1, tail = fma(r * r, exp_tail(r), fma(r_low, r, r_low));
  return {{value, (r - (value - 1)) + tail}, k};
}

Number rounded(const Exponential& e) {
  const Number half = round_even(e.exponent * 0.5);
  return (e.value.high + e.value.low) * power_of_two(half) * power_of_two(e.exponent - half);
}

Number expm1(Number x) {
  const double most = x.is_double() ? 709.79 : 88.73, least = x.is_double() ? -45 : -20;
  const auto [k, r, shifted] = reduce(clamp(x, least, most));
  const Number value = fma(r * r, exp_tail(r), r);
  const Number half_scale = power_of_two(k - 1);
  const Number result = (fma(half_scale, value, half_scale - 0.5)) * 2;
  return select(x == 0, x, select(x > most, infinity, result));
}

Decomposed decompose(Number x) {
  const bool wide = x.is_double();
  Lanes& l = *x.lanes;
  const auto integer = [&](std::uint64_t value) {
    return l.integer_constant(l.integer(wide ? 64 : 32), value);
  };
  const Number tiny = x < (wide ? 0x1p-1022 : 0x1p-126);
  const Number bits = bits_of(select(tiny, x * (wide ? 0x1p54 : 0x1p25), x));
  const Number root = integer(wide ? 0x3fe6a09e00000000 : 0x3f3504f3);  // sqrt(1/2)
  const Number shifted = bits + (integer(wide ? 0x3ff0000000000000 : 0x3f800000) - root);
  const Number mantissa = from_bits((shifted & integer(wide ? 0xfffffffffffff : 0x7fffff)) + root);
  const Number field = shift_right(shifted, wide ? 52 : 23);
  const double magic = wide ? 0x1p52 : 0x1p23, bias = wide ? 1023 : 127;
  const Number biased = from_bits(field | bits_of(l.constant(x.value->getType(), magic)));
  const Number exponent = biased - (magic + bias);
  return {select(tiny, exponent - (wide ? 54 : 25), exponent), mantissa};
}

Number log(Number x) {
  const auto [k, m] = decompose(x);
  const Number value = log_sum(k, m, k * 0);
  return select(is_nan(x) | (x == infinity), x, select(x < 0, nan, select(x == 0, -infinity, value)));
}

Pair log_extended(Number x) {
  const auto [k, m] = decompose(x);
  const auto [high, low] = split_ln2(m);
  const auto [f, rest] = log_parts(m, k * low);
  const Number part = f - rest, part_low = (f - part) - rest;  // |f| > |rest|
  const Number lead = k * high, sum = lead + part;             // the product is exact
  return {sum, (part - (sum - lead)) + part_low};              // k is 0, or |lead| > |part|
}

Number rounded_log(Pair x) {
  const auto [k, m] = decompose(x.high);
  return log_sum(k, m, x.low / x.high);
}

Number log1p(Number x) {
  const Number u = x + 1;
  const Number lost = select(x > 1, 1 - (u - x), x - (u - 1));  // u + lost = 1 + x
  const auto [k, m] = decompose(u);
  const Number value = log_sum(k, m, lost / u);
  const Number inside = select(u < 0, nan, select(u == 0, -infinity, value));
  return select(is_nan(x) | (x == infinity) | (x == 0), x, inside);
}

Number sinh(Number x) {
  return in_double(x, [](Number x) {
    const Number a = abs(x), e = expm1(a);
    const Number small = (e + e / (e + 1)) * 0.5;
    const Number large = exp_scaled(a, -1);
    return copy_sign(select(is_nan(x), x, select(a > 22, large, small)), x);
  });
}

Number cosh(Number x) {
  return in_double(x, [](Number x) {
    const Number a = abs(x), e = exp_scaled(a, -1);
    return e + 0.25 / e;
  });
}

Number tanh(Number x) {
  const Number a = abs(x);
  if (x.is_double()) {
    const Number e = expm1(select(a > 22, 22, a) * 2);
    return select(is_nan(x), x, copy_sign(e / (e + 2), x));
  }
  const Number z = a * a;
  const Number small = fma(a * z,
                           polynomial(z, {-0.3333333315, 0.1333330015, -0.05395846163, 0.02176250291,
                                          -0.008323187058, 0.002269501684}),
                           a);
  const Number e = exp_normal(reduce(select(a > 10, 10, a) * 2));  // of at most 20; NaN is replaced
  const Number large = 1 - 2 / (e + 1);
  return select(is_nan(x), x, copy_sign(select(a < 0.63, small, large), x));
}

Number asinh(Number x) {
  return in_double(x, [](Number x) {
    const Number a = abs(x), square = a * a;
    const Number value = log1p(a + square / (sqrt(square + 1) + 1));
    return copy_sign(select(a > 0x1p28, log(a) + ln2, value), x);
  });
}

Number acosh(Number x) {
  return in_double(x, [](Number x) {
    const Number t = x - 1;
    const Number value = log1p(t + sqrt(t * 2 + t * t));
    return select(x < 1, nan, select(x > 0x1p28, log(x) + ln2, value));
  });
}

Number atanh(Number x) {
  return in_double(x, [](Number x) {
    const Number a = abs(x);
    return copy_sign(select(a > 1, nan, log1p(a * 2 / (1 - a)) * 0.5), x);
  });
}

}  // namespace codegen::math
