#ifndef TEL_FLOATS_V1
#define TEL_FLOATS_V1

#include <bit>

namespace tel::inline v1 {

/// A 16-bit float (IEEE 754 binary16) in memory. It converts to `float` for arithmetic.
struct float16 : tel_float16 {
  float16() = default;
  explicit float16(float value) noexcept : tel_float16{narrow(value)} {}

  operator float() const noexcept {
    const std::uint32_t sign = std::uint32_t{bits} >> 15 << 31;
    const std::uint32_t exponent = bits >> 10 & 31u;
    const std::uint32_t fraction = bits & 1023u;
    if (exponent == 0)  // fraction * 2^-24
      return std::bit_cast<float>(sign |
                                  std::bit_cast<std::uint32_t>(static_cast<float>(fraction) * 0x1p-24f));
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | fraction << 13);
    return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  }

 private:
  /// Rounds to the nearest value, ties to even.
  static std::uint16_t narrow(float value) noexcept {
    const auto all = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = all >> 16 & 0x8000u;
    const std::uint32_t magnitude = all & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return static_cast<std::uint16_t>(sign | 0x7e00u);
    if (magnitude >= 0x47800000u) return static_cast<std::uint16_t>(sign | 0x7c00u);  // from 2^16 on
    if (magnitude < 0x38800000u) {  // below 2^-14: the sum's unit in the last place is 2^-24
      const float sum = std::bit_cast<float>(magnitude) + 0.5f;
      return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(sum) - 0x3f000000u));
    }
    const std::uint32_t rounded = magnitude + 0xfffu + (magnitude >> 13 & 1u) - (112u << 23);
    return static_cast<std::uint16_t>(sign | rounded >> 13);
  }
};

/// A 16-bit float with the range of `float` (its upper half) in memory. It converts to `float` for
/// arithmetic.
struct bfloat16 : tel_bfloat16 {
  bfloat16() = default;
  explicit bfloat16(float value) noexcept : tel_bfloat16{narrow(value)} {}
  operator float() const noexcept { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

 private:
  /// Rounds to the nearest value, ties to even.
  static std::uint16_t narrow(float value) noexcept {
    const auto all = std::bit_cast<std::uint32_t>(value);
    if ((all & 0x7fffffffu) > 0x7f800000u) return static_cast<std::uint16_t>(all >> 16 | 0x40u);
    return static_cast<std::uint16_t>((all + 0x7fffu + (all >> 16 & 1u)) >> 16);
  }
};

}  // namespace tel::inline v1

#endif  // TEL_FLOATS_V1
