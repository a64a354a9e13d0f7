#pragma once

#include <array>

#include "codegen/math/functions.h"

/// Arithmetic on sums of two numbers, which have about twice the digits of the type (T. J. Dekker, A
/// floating-point technique, 1971). Nothing may over- or underflow.
namespace codegen::math {

/// a + b exactly.
Pair exact_sum(SimdValue a, SimdValue b);
Pair operator+(Pair a, Pair b);
Pair operator-(Pair a);
Pair operator*(Pair a, Pair b);
Pair operator/(Pair a, Pair b);

using Constant = std::array<double, 2>;
Pair constant(SimdValue like, Constant value);
/// leading[0] + x * (leading[1] + … + x * (rest[0] + x * …)): the rest, which is small, as single numbers.
Pair polynomial(Pair x, std::initializer_list<Constant> leading, std::initializer_list<double> rest);
/// The logarithm of positive doubles.
Pair log(Pair x);

}  // namespace codegen::math
