#include "dlvm/ir/float16.h"

#include <bit>
#include <cmath>

namespace dlvm {
namespace {

/// `value` in a binary format of `mantissa` explicit bits and `exponent` exponent bits (together 15).
std::uint16_t encode(double value, int mantissa, int exponent) {
  const int bias = (1 << (exponent - 1)) - 1;
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const auto infinity = static_cast<std::uint16_t>(((1 << exponent) - 1) << mantissa);
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | infinity | (1 << (mantissa - 1)));
  value = std::fabs(value);
  if (std::isinf(value)) return sign | infinity;
  if (value == 0) return sign;
  int e = std::ilogb(value);
  if (e < 1 - bias) e = 1 - bias;  // subnormal: fixed scale
  // In units of the last place; nearbyint rounds half to even in the default mode.
  const auto units = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(value, mantissa - e)));
  // A carry out of the mantissa moves into the exponent by itself.
  const std::uint32_t bits = units + (static_cast<std::uint32_t>(e + bias - 1) << mantissa);
  return static_cast<std::uint16_t>(sign | (bits >= infinity ? infinity : bits));
}

double decode(std::uint16_t bits, int mantissa, int exponent) {
  const int bias = (1 << (exponent - 1)) - 1;
  const int e = (bits & 0x7FFF) >> mantissa;
  const int m = bits & ((1 << mantissa) - 1);
  double value = 0;
  if (e == (1 << exponent) - 1)
    value = m ? std::nan("") : HUGE_VAL;
  else
    value =
        e == 0 ? std::ldexp(m, 1 - bias - mantissa) : std::ldexp(m + (1 << mantissa), e - bias - mantissa);
  return (bits & 0x8000) ? -value : value;
}

}  // namespace

std::uint16_t float16_from(double value) { return encode(value, 10, 5); }
double float16_to_double(std::uint16_t bits) { return decode(bits, 10, 5); }
std::uint16_t bfloat16_from(double value) { return encode(value, 7, 8); }
double bfloat16_to_double(std::uint16_t bits) { return decode(bits, 7, 8); }

}  // namespace dlvm
