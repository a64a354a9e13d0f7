#include "runtime/support/float16.h"

namespace runtime {
namespace {

/// Narrows a double to a format of `fraction` fraction bits, the exponents -`bias` + 1 … `bias`, in 16 bits.
///
///  1. The magnitude's exponent decides how many of the 53 significant bits are kept: fraction + 1, or fewer
///     below the smallest normal number, none far below it.
///  2. Adding half a unit of the last kept place, less one where that place is even, rounds the integer of
///     the significant bits to nearest even; a carry moves into the exponent by itself.
template <int fraction, int bias>
uint16_t narrow(double value) {
  const auto bits = __builtin_bit_cast(uint64_t, value);
  const auto sign = static_cast<uint16_t>(bits >> 48 & 0x8000);
  const uint64_t magnitude = bits & ~(uint64_t{1} << 63);
  constexpr uint16_t infinity = ((2 * bias + 1) << fraction) & 0x7fff;
  if (magnitude > uint64_t{0x7ff} << 52) return sign | infinity | uint16_t{1} << (fraction - 1);
  const int exponent = static_cast<int>(magnitude >> 52) - 1023;
  if (exponent > bias) return sign | infinity;
  const int below = exponent < 1 - bias ? 1 - bias - exponent : 0;
  if (below > fraction + 1) return sign;
  const uint64_t significand = (magnitude & ((uint64_t{1} << 52) - 1)) | uint64_t{1} << 52;
  const int dropped = 52 - fraction + below;
  const uint64_t half = uint64_t{1} << (dropped - 1);
  const uint64_t kept = (significand + half - 1 + (significand >> dropped & 1)) >> dropped;
  // A normal number's leading bit counts as one of the exponent; a subnormal has none.
  const uint64_t base = below ? 0 : static_cast<uint64_t>(exponent + bias - 1) << fraction;
  return static_cast<uint16_t>(sign | (base + kept));
}

}  // namespace

float float16_to_float(uint16_t bits) {
  const uint32_t sign = uint32_t{bits} >> 15 << 31;
  const uint32_t exponent = bits >> 10 & 31;
  const uint32_t fraction = bits & 1023;
  if (exponent == 0) {  // fraction * 2^-24, exact
    const float value = static_cast<float>(fraction) * 0x1p-24f;
    return __builtin_bit_cast(float, sign | __builtin_bit_cast(uint32_t, value));
  }
  if (exponent == 31) {
    const uint32_t quiet = fraction ? 0x400000 : 0;
    return __builtin_bit_cast(float, sign | 0x7f800000u | quiet | fraction << 13);
  }
  return __builtin_bit_cast(float, sign | (exponent + 112) << 23 | fraction << 13);
}

uint16_t float_to_float16(float value) { return narrow<10, 15>(value); }
uint16_t double_to_float16(double value) { return narrow<10, 15>(value); }

float bfloat16_to_float(uint16_t bits) { return __builtin_bit_cast(float, uint32_t{bits} << 16); }

uint16_t float_to_bfloat16(float value) { return narrow<7, 127>(value); }
uint16_t double_to_bfloat16(double value) { return narrow<7, 127>(value); }

}  // namespace runtime
