#pragma once

#include <stdint.h>

namespace runtime {

/// Conversions of 16-bit floats, given as their bits. Narrowing rounds to the nearest, ties to even; a NaN
/// stays a NaN. All are exact in one rounding, also from double.
float float16_to_float(uint16_t bits);
uint16_t float_to_float16(float value);
uint16_t double_to_float16(double value);
float bfloat16_to_float(uint16_t bits);
uint16_t float_to_bfloat16(float value);
uint16_t double_to_bfloat16(double value);

}  // namespace runtime
