#pragma once

#include <array>

#include "codegen/math/functions.h"

/// Arithmetic on unrounded sums of two numbers, which have about twice the digits of the type (T. J. Dekker,
/// A floating-point technique, 1971). No intermediate result may overflow or underflow.
namespace codegen::math {

/// Returns the exact value of a + b.
Pair exact_sum(SimdValue a, SimdValue b);
/// Return the result of the operation with about twice the digits of the type; the negation is exact.
Pair operator+(Pair a, Pair b);
Pair operator-(Pair a);
Pair operator*(Pair a, Pair b);
Pair operator/(Pair a, Pair b);

/// A number as the sum of two doubles, the second of which is small.
using Constant = std::array<double, 2>;
/// Returns the sum value[0] + value[1] in every lane, with the lanes of `like`.
Pair constant(SimdValue like, Constant value);
/// Returns leading[0] + x * (leading[1] + … + x * (rest[0] + x * …)). The terms of `rest` are small and are
/// computed as single numbers.
Pair polynomial(Pair x, std::initializer_list<Constant> leading, std::initializer_list<double> rest);
/// Returns the logarithm of positive doubles.
Pair log(Pair x);

}  // namespace codegen::math
