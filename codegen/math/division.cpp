// Division of many doubles by the same one.
#include "codegen/math/functions.h"

namespace codegen::math {

/// With r = 1 / y and q = x r, both rounded, q + r (x - q y) in two fused multiply-adds is the rounded
/// quotient wherever nothing over- or underflows (P. Markstein, IA-64 and Elementary Functions, 2000; N.
/// Brisebarre, J.-M. Muller, S. K. Raina, Accelerating correctly rounded floating-point division when the
/// divisor is known in advance, 2004). That holds for magnitudes of y from 2^-100 to 2^100 and of x from
/// 2^-900 to 2^900: q and r are normal numbers then, and the last bit of the remainder is at least 2^-1005.
/// Where a lane is outside, all are divided.
SimdValue divide_by_scalar(SimdValue x, SimdValue y) {
  SimdBuilder& l = *x.builder;
  const auto stretched = [&](SimdValue scalar) { return l.number(l.splat(scalar.value)); };
  const auto exponent = [&](SimdValue like, int e) {  // the bits of 2^e
    return like.builder->integer_constant(like.value->getType(), static_cast<std::uint64_t>(e + 1023) << 52);
  };
  const auto below = [](SimdValue a, SimdValue b) {  // unsigned
    return SimdValue{a.builder, a.builder->b.CreateICmpULT(a.value, b.value)};
  };
  const SimdValue y_bits = bits_of(abs(y)), x_bits = bits_of(abs(x)), none = y_bits - y_bits;
  const SimdValue min_y = exponent(y_bits, -100);
  const SimdValue y_fits = below(y_bits - min_y, exponent(y_bits, 100) - min_y);
  // Beside a y that does not fit, no x does. A zero is 0 times r, and its correction 0.
  const SimdValue range = select(y_fits, exponent(y_bits, 900) - exponent(y_bits, -900), none);
  const SimdValue is_zero = bits_of(x) == x_bits - x_bits;
  const SimdValue fits =
      below(x_bits - exponent(x_bits, -900), stretched(range)) | (is_zero & stretched(y_fits));
  const SimdValue r = stretched(1 / select(y_fits, y, 1.0)), all_y = stretched(y);
  const auto corrected = [&] {
    const SimdValue q = x * r;
    return fma(fma(-q, all_y, x), r, q);
  };
  return where_any(!fits, [&] { return x / all_y; }, corrected);
}

}  // namespace codegen::math
