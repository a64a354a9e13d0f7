#pragma once

#include "codegen/math/functions.h"

namespace codegen::math {

/// lgamma and digamma of negative doubles that are no integers (lgamma: above -2^6), by formulas that are
/// longer than those of gamma.cpp and whose relative error is small near the zeros, too.
SimdValue lgamma_near_zero(SimdValue x);
SimdValue digamma_near_zero(SimdValue x);

}  // namespace codegen::math
