#pragma once

#include "codegen/math/functions.h"

namespace codegen::math {

/// lgamma and digamma of negative doubles that are no integers (lgamma: above -2^6), by formulas that are
/// longer than those of gamma.cpp and whose relative error is small near the zeros, too.
Number lgamma_near_zero(Number x);
Number digamma_near_zero(Number x);

}  // namespace codegen::math
