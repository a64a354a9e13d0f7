#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/MDBuilder.h>

#include <array>
#include <optional>
#include <span>
#include <string>

#include "codegen/math/simd.h"

/// Elementary and special functions on lanes of float or double. Each emits code whose result is within 4 ulp
/// (docs/accuracy.md has the figure of each) and correct for infinities, NaN and subnormal numbers.
/// These files contain the functions and the sources of the formulas:
///   exponential.cpp     exp expm1 log log1p sinh cosh tanh asinh acosh atanh
///   trigonometric.cpp   sin cos tan asin acos atan atan2
///   gaussian.cpp        erf erfc normal_cdf gelu_tanh_odds
///   gamma.cpp           lgamma digamma; gamma_zeros.cpp near their zeros at negative numbers
///   power.cpp           power floor_divide modulo
///   constant_power.cpp  power by a constant integer
///   division.cpp        division by a number that lanes share
namespace codegen::math {

/// Return the function of that name in C for each lane.
SimdValue exp(SimdValue x);
SimdValue expm1(SimdValue x);
SimdValue log(SimdValue x);
SimdValue log1p(SimdValue x);
SimdValue sinh(SimdValue x);
SimdValue cosh(SimdValue x);
SimdValue tanh(SimdValue x);
SimdValue asinh(SimdValue x);
SimdValue acosh(SimdValue x);
SimdValue atanh(SimdValue x);

/// Return the function of that name in C for each lane; angles are in radians.
SimdValue sin(SimdValue x);
SimdValue cos(SimdValue x);
SimdValue tan(SimdValue x);
SimdValue asin(SimdValue x);
SimdValue acos(SimdValue x);
SimdValue atan(SimdValue x);
SimdValue atan2(SimdValue y, SimdValue x);

/// Return the error function and its complement 1 - erf(x).
SimdValue erf(SimdValue x);
SimdValue erfc(SimdValue x);
/// Returns the probability that a standard normal variable is below x.
SimdValue normal_cdf(SimdValue x);
/// Returns exp(2 sqrt(2 / pi) (x + 0.044715 x^3)).
SimdValue gelu_tanh_odds(SimdValue x);
/// Return log |gamma(x)| and its derivative.
SimdValue lgamma(SimdValue x);
SimdValue digamma(SimdValue x);

/// Returns x^y for floating-point lanes, with the special cases of C's pow.
SimdValue power(SimdValue x, SimdValue y);
/// Returns x^exponent, computed by multiplications and, for a negative exponent, one division. Integers are
/// allowed if the exponent is not negative. Each factor loses at most half a unit in the last place.
SimdValue power(SimdValue x, int exponent);
/// Returns the integer that y equals in every lane if y is a constant that `power` expands into
/// multiplications, and nothing otherwise. For an integer type a negative exponent is never returned.
std::optional<int> constant_exponent(SimdValue y);
/// Returns x / y of doubles, correctly rounded, for one y that all lanes share and that is given as a scalar.
/// It takes a product and two fused multiply-adds, which the target must have.
SimdValue divide_by_scalar(SimdValue x, SimdValue y);
/// Returns the greatest integer that does not exceed the exact quotient.
SimdValue floor_divide(SimdValue x, SimdValue y);
/// Returns x - y * floor(x / y) without rounding, with the sign of y.
SimdValue modulo(SimdValue x, SimdValue y);

/// ln 2 as the sum of `high`, whose products with exponents are exact, and `low`.
struct Ln2 {
  double high, low;
};
/// Returns the two parts of ln 2 for the type of `like`.
Ln2 split_ln2(SimdValue like);
/// Returns e^x * 2^shift. `shift` has at most 2 binary digits.
SimdValue exp_scaled(SimdValue x, double shift);
/// x = 2^exponent * mantissa with the mantissa in [sqrt(1/2), sqrt(2)), for positive finite x.
struct Decomposed {
  SimdValue exponent, mantissa;
};
/// Returns the exponent and the mantissa of each lane.
Decomposed decompose(SimdValue x);

/// The number value * 2^exponent, where the exponent is also in the low bits of `shifted`.
struct Scaled {
  SimdValue value, exponent, shifted;
};
/// Returns factor * e^(x + low), for |low| at most a few units in the last place of x.
Scaled exp_product(SimdValue factor, SimdValue x, SimdValue low);
/// Returns the number, which must be normal in every lane.
SimdValue normal(const Scaled& x);
/// Returns the number, rounded if it is subnormal; it has the bits that `normal` gives where it is not.
SimdValue rounded(const Scaled& x);

/// An unrounded sum high + low, where |low| is at most half a unit in the last place of `high`.
struct Pair {
  SimdValue high, low;
};
/// Returns log(x) for positive finite x with 5 bits more than the type has.
Pair log_extended(SimdValue x);
/// Returns log(x) for positive finite x, accurate also near 1.
SimdValue rounded_log(Pair x);
/// e^(x + low) = value * 2^exponent for |low| at most a unit in the last place of x, with 4 bits more than
/// the type has; the exponent must not exceed twice that of normal numbers.
struct Exponential {
  Pair value;
  SimdValue exponent;
};
/// Returns e^(x + low), unrounded.
Exponential exp_extended(SimdValue x, SimdValue low);
/// Returns the value that `e` describes, rounded to the type.
SimdValue rounded(const Exponential& e);
/// Returns e^(x + low) for |low| at most a few units in the last place of x. Where e^x is 0 or infinite, low
/// has no effect.
SimdValue exp(SimdValue x, SimdValue low);

/// Emits a call of a separate function of the module for each lane, which suits code that is rare and long.
/// `write` emits the function's body: it receives scalars and returns a scalar or a struct. The function is
/// made once under `name`.
llvm::Function* scalar_function(SimdBuilder& lanes, const std::string& name, llvm::Type* result,
                                std::initializer_list<llvm::Type*> parameters,
                                llvm::Value* (*write)(SimdBuilder& lanes, llvm::Function& function));

/// Emits a call of a function of the module that computes each lane from the same lane of `operands`, which
/// suits code that is long and often written. `write` emits the function's body; the function is made once
/// for each `name` and width, and a target may inline it.
SimdValue call_function(const std::string& name, std::span<const SimdValue> operands,
                        llvm::function_ref<SimdValue(std::span<const SimdValue>)> write);

/// Emits a branch that computes `far` for all lanes if `condition` is true in some lane, which should be
/// rare, and `near` otherwise. Returns the value of the side that ran.
template <typename Far, typename Near>
SimdValue where_any(SimdValue condition, Far far, Near near) {
  SimdBuilder& l = *condition.builder;
  llvm::IRBuilder<>& b = l.b;
  llvm::Function* here = b.GetInsertBlock()->getParent();
  const auto block = [&](const char* name) { return llvm::BasicBlock::Create(b.getContext(), name, here); };
  llvm::BasicBlock *blocks[] = {block("far"), block("near")}, *done = block("done");
  b.CreateCondBr(l.any(condition), blocks[0], blocks[1],
                 llvm::MDBuilder(b.getContext()).createUnlikelyBranchWeights());
  const auto compute = [&](llvm::BasicBlock*& block, auto& one) {
    b.SetInsertPoint(block);
    const SimdValue value = one();
    block = b.GetInsertBlock();
    b.CreateBr(done);
    return value;
  };
  const SimdValue values[] = {compute(blocks[0], far), compute(blocks[1], near)};
  b.SetInsertPoint(done);
  llvm::PHINode* phi = b.CreatePHI(values[0].value->getType(), 2);
  for (int i = 0; i < 2; ++i) phi->addIncoming(values[i].value, blocks[i]);
  return l.number(phi);
}

/// Emits a loop that applies `step` to the values of the lanes whose `condition` is true while there is such
/// a lane.
template <std::size_t count, typename Condition, typename Step>
std::array<SimdValue, count> repeat_where(std::array<SimdValue, count> values, Condition condition,
                                          Step step) {
  SimdBuilder& l = *values[0].builder;
  llvm::IRBuilder<>& b = l.b;
  llvm::BasicBlock* before = b.GetInsertBlock();
  const auto block = [&](const char* name) {
    return llvm::BasicBlock::Create(b.getContext(), name, before->getParent());
  };
  llvm::BasicBlock *head = block("while"), *body = block("step"), *done = block("done");
  b.CreateBr(head);
  b.SetInsertPoint(head);
  std::array<llvm::PHINode*, count> phis;
  for (std::size_t i = 0; i < count; ++i) {
    phis[i] = b.CreatePHI(values[i].value->getType(), 2);
    phis[i]->addIncoming(values[i].value, before);
    values[i] = l.number(phis[i]);
  }
  const SimdValue more = condition(values);
  b.CreateCondBr(l.any(more), body, done);
  b.SetInsertPoint(body);
  const std::array<SimdValue, count> next = step(values);
  for (std::size_t i = 0; i < count; ++i)
    phis[i]->addIncoming(select(more, next[i], values[i]).value, b.GetInsertBlock());
  b.CreateBr(head);
  b.SetInsertPoint(done);
  return values;
}

/// Returns `compute` of x in double, rounded to x's type.
template <typename Compute>
SimdValue in_double(SimdValue x, Compute compute) {
  return x.is_double() ? compute(x) : to_float(compute(to_double(x)));
}

}  // namespace codegen::math
