#pragma once

#include <stdint.h>

namespace runtime {

/// Convert 16-bit floats, which are given as their bits. Narrowing rounds once, to the nearest with ties to
/// even, also from double; a NaN stays a NaN.
float float16_to_float(uint16_t bits);
uint16_t float_to_float16(float value);
uint16_t double_to_float16(double value);
float bfloat16_to_float(uint16_t bits);
uint16_t float_to_bfloat16(float value);
uint16_t double_to_bfloat16(double value);

}  // namespace runtime
