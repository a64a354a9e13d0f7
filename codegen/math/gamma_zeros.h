#pragma once

#include "codegen/math/functions.h"

namespace codegen::math {

/// Return lgamma and digamma of negative doubles that are not integers (for lgamma above -2^6). Their
/// formulas are longer than those of gamma.cpp, and their relative error is small near the zeros, too.
SimdValue lgamma_near_zero(SimdValue x);
SimdValue digamma_near_zero(SimdValue x);

}  // namespace codegen::math
