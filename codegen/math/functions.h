#pragma once

#include "codegen/math/lanes.h"

/// Elementary and special functions on lanes of float or double, as straight-line code: within 2 ulp for
/// float and a few ulp for double (lgamma and digamma near their zeros: the same absolutely), correct for
/// infinities, NaN and subnormal numbers. What stands where, and the sources of formulas:
///   exponential.cpp    exp expm1 log log1p sinh cosh tanh asinh acosh atanh
///   trigonometric.cpp  sin cos tan asin acos atan atan2
///   special.cpp        erf erfc lgamma digamma
///   power.cpp          power floor_divide modulo
namespace codegen::math {

Number exp(Number x);
Number expm1(Number x);
Number log(Number x);
Number log1p(Number x);
Number sinh(Number x);
Number cosh(Number x);
Number tanh(Number x);
Number asinh(Number x);
Number acosh(Number x);
Number atanh(Number x);

Number sin(Number x);
Number cos(Number x);
Number tan(Number x);
Number asin(Number x);
Number acos(Number x);
Number atan(Number x);
Number atan2(Number y, Number x);

Number erf(Number x);
Number erfc(Number x);
Number lgamma(Number x);
Number digamma(Number x);

Number power(Number x, Number y);
/// x - y * floor(x / y) without rounding, with the sign of y.
Number floor_divide(Number x, Number y);
Number modulo(Number x, Number y);

/// e^(x + low) * 2^shift, for |low| far below 1; `shift` of at most 2 binary digits.
Number exp_scaled(Number x, Number low, double shift);
/// x = 2^exponent * mantissa with the mantissa in [sqrt(1/2), sqrt(2)), for positive finite x.
struct Decomposed {
  Number exponent, mantissa;
};
Decomposed decompose(Number x);

/// In an own function of the module, called on each lane: for what is rare and long. `write` gets scalars and
/// returns a scalar or a struct; the function is made once under `name`.
llvm::Function* scalar_function(Lanes& lanes, const std::string& name, llvm::Type* result,
                                std::initializer_list<llvm::Type*> parameters,
                                llvm::Value* (*write)(Lanes& lanes, llvm::Function& function));

/// `compute` on double, rounded; on a double itself.
template <typename Compute>
Number in_double(Number x, Compute compute) {
  return x.is_double() ? compute(x) : to_float(compute(to_double(x)));
}

}  // namespace codegen::math
