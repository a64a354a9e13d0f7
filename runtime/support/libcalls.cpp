#include "runtime/support/libcalls.h"

#include "runtime/support/float16.h"

namespace {

template <typename F>
F magnitude(F x) {
  return __builtin_copysign(x, F{1});
}
template <>
float magnitude(float x) {
  return __builtin_copysignf(x, 1.0f);
}

double with_sign(double x, double sign) { return __builtin_copysign(x, sign); }
float with_sign(float x, float sign) { return __builtin_copysignf(x, sign); }

/// From here on every number is an integer.
constexpr double integers_from(double) { return 0x1p52; }
constexpr float integers_from(float) { return 0x1p23f; }

/// To the nearest integer, ties to even: adding and taking away a number so large that it has no fraction.
template <typename F>
F rint(F x) {
  const F large = integers_from(x);
  const F value = magnitude(x);
  if (!(value < large)) return x;
  volatile F shifted = value + large;
  return with_sign(shifted - large, x);
}

template <typename F>
F floor(F x) {
  const F nearest = rint(x);
  return nearest > x ? with_sign(nearest - 1, x) : nearest;
}

template <typename F>
F ceil(F x) {
  return -floor(-x);
}

template <typename F>
F trunc(F x) {
  return with_sign(floor(magnitude(x)), x);
}

template <typename F>
F round(F x) {
  const F whole = trunc(x);
  return magnitude(x - whole) >= F{0.5} ? whole + with_sign(F{1}, x) : whole;
}

/// A finite number's magnitude is fraction * 2^exponent.
struct Parts {
  uint64_t fraction;
  int exponent;
};

Parts parts(double x) {
  const uint64_t bits = __builtin_bit_cast(uint64_t, x) & ~(uint64_t{1} << 63);
  Parts result{bits & ((uint64_t{1} << 52) - 1), static_cast<int>(bits >> 52)};
  if (result.exponent != 0) {
    result.fraction |= uint64_t{1} << 52;
  } else {
    result.exponent = 1;
  }
  result.exponent -= 1075;
  return result;
}

__extension__ typedef unsigned __int128 Wide;

/// fraction * 2^exponent as a double, rounded to nearest even. `fraction` is below 2^127.
double compose(Wide fraction, int exponent) {
  const int width = fraction >> 64 ? 128 - __builtin_clzll(static_cast<uint64_t>(fraction >> 64))
                                   : 64 - __builtin_clzll(static_cast<uint64_t>(fraction));
  int drop = width - 53;
  if (exponent + drop < -1074) drop = -1074 - exponent;  // subnormal: fewer bits are kept
  if (drop > 0) {
    if (drop > 126) return 0;
    const Wide half = static_cast<Wide>(1) << (drop - 1);
    fraction = (fraction + half - 1 + (fraction >> drop & 1)) >> drop;
    exponent += drop;
  }
  // 54 bits at most, with a carry; exact from here. Two steps, as 2^exponent may not be a normal number.
  double value = static_cast<double>(static_cast<uint64_t>(fraction));
  for (; exponent > 1000; exponent -= 1000) value *= 0x1p1000;
  for (; exponent < -1000; exponent += 1000) value *= 0x1p-1000;
  return value * __builtin_bit_cast(double, static_cast<uint64_t>(exponent + 1023) << 52);
}

/// x - n * y with n = trunc(x / y), exact: long division, one bit of the quotient a step.
double remainder(double x, double y) {
  if (!(magnitude(x) < __builtin_inf()) || y != y || y == 0) return __builtin_nan("");
  if (magnitude(x) < magnitude(y)) return x;
  const Parts b = parts(y);
  Parts a = parts(x);
  uint64_t rest = a.fraction % b.fraction;  // |x| >= |y|, so a's exponent is not the smaller one
  for (; a.exponent > b.exponent; --a.exponent) rest = rest * 2 % b.fraction;
  return with_sign(rest ? compose(rest, b.exponent) : 0.0, x);
}

Wide shift_left_whole(Wide value, int& exponent) {
  while (!(value >> 125)) {
    value <<= 1;
    --exponent;
  }
  return value;
}

/// Shifted to the right; a one that falls out stays as the lowest bit.
Wide shift_right_sticky(Wide value, int count) {
  if (count > 126) return 1;
  const Wide lost = value & ((static_cast<Wide>(1) << count) - 1);
  return value >> count | (lost != 0);
}

/// x * y + z, rounded once.
///  1. The product's fraction is exact in 106 bits; it and z's are moved to 126 bits.
///  2. The one of the smaller exponent is shifted right; what falls out is kept as one sticky bit. If it was
///     shifted by more than one place, subtraction cancels at most one leading bit, so the sticky bit stays
///     below the rounding place; otherwise nothing fell out.
///  3. The sum is rounded by `compose`.
double multiply_add(double x, double y, double z) {
  const double product = x * y;
  const bool finite = magnitude(x) < __builtin_inf() && magnitude(y) < __builtin_inf();
  if (!finite || x == 0 || y == 0) return product + z;
  if (!(magnitude(z) < __builtin_inf())) return z;
  const bool negative = __builtin_signbit(x) != __builtin_signbit(y);
  const Parts a = parts(x), b = parts(y), c = parts(z);
  int exponent = a.exponent + b.exponent, other_exponent = c.exponent;
  Wide value = shift_left_whole(static_cast<Wide>(a.fraction) * b.fraction, exponent);
  if (z == 0) return with_sign(compose(value, exponent), negative ? -1.0 : 1.0);
  Wide other = shift_left_whole(c.fraction, other_exponent);
  if (exponent < other_exponent) {
    value = shift_right_sticky(value, other_exponent - exponent);
    exponent = other_exponent;
  } else {
    other = shift_right_sticky(other, exponent - other_exponent);
  }
  if (negative == (__builtin_signbit(z) != 0)) return with_sign(compose(value + other, exponent), z);
  if (value == other) return 0;
  const bool larger = value > other;
  return with_sign(compose(larger ? value - other : other - value, exponent),
                   negative == larger ? -1.0 : 1.0);
}

/// In double the product is exact; the sum is rounded to odd, so that rounding it again is harmless.
float multiply_add(float x, float y, float z) {
  const double product = static_cast<double>(x) * y;
  const double sum = product + z;
  const double rest = sum - product;
  const double error = (product - (sum - rest)) + (z - rest);
  auto bits = __builtin_bit_cast(int64_t, sum);
  if (error == 0 || error != error || bits & 1) return static_cast<float>(sum);
  return static_cast<float>(__builtin_bit_cast(double, bits + ((error > 0) == (sum > 0) ? 1 : -1)));
}

}  // namespace

extern "C" {

double tel_libcall_floor(double x) { return floor(x); }
double tel_libcall_ceil(double x) { return ceil(x); }
double tel_libcall_trunc(double x) { return trunc(x); }
double tel_libcall_rint(double x) { return rint(x); }
double tel_libcall_nearbyint(double x) { return rint(x); }
double tel_libcall_round(double x) { return round(x); }
double tel_libcall_roundeven(double x) { return rint(x); }
double tel_libcall_fmod(double x, double y) { return remainder(x, y); }
double tel_libcall_fma(double x, double y, double z) { return multiply_add(x, y, z); }

float tel_libcall_floorf(float x) { return floor(x); }
float tel_libcall_ceilf(float x) { return ceil(x); }
float tel_libcall_truncf(float x) { return trunc(x); }
float tel_libcall_rintf(float x) { return rint(x); }
float tel_libcall_nearbyintf(float x) { return rint(x); }
float tel_libcall_roundf(float x) { return round(x); }
float tel_libcall_roundevenf(float x) { return rint(x); }
float tel_libcall_fmodf(float x, float y) { return static_cast<float>(remainder(x, y)); }
float tel_libcall_fmaf(float x, float y, float z) { return multiply_add(x, y, z); }

#ifdef __clang__
float tel_libcall___extendhfsf2(_Float16 x) {
  return runtime::float16_to_float(__builtin_bit_cast(uint16_t, x));
}
_Float16 tel_libcall___truncsfhf2(float x) {
  return __builtin_bit_cast(_Float16, runtime::float_to_float16(x));
}
_Float16 tel_libcall___truncdfhf2(double x) {
  return __builtin_bit_cast(_Float16, runtime::double_to_float16(x));
}
__bf16 tel_libcall___truncsfbf2(float x) { return __builtin_bit_cast(__bf16, runtime::float_to_bfloat16(x)); }
__bf16 tel_libcall___truncdfbf2(double x) {
  return __builtin_bit_cast(__bf16, runtime::double_to_bfloat16(x));
}
#endif

}  // extern "C"
