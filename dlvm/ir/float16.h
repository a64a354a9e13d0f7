#pragma once

#include <cstdint>

namespace dlvm {

/// Convert IEEE 754 binary16 and bfloat16, which are given as their bits. Conversion from double rounds once,
/// to nearest even, overflows to infinity, and keeps NaN.
std::uint16_t float16_from(double value);
double float16_to_double(std::uint16_t bits);
std::uint16_t bfloat16_from(double value);
double bfloat16_to_double(std::uint16_t bits);

}  // namespace dlvm
