#pragma once

#include <llvm/IR/MDBuilder.h>

#include <array>
#include <optional>

#include "codegen/math/simd.h"

/// Elementary and special functions on lanes of float or double: within 2 ulp for float and 4 for double (see
/// docs/accuracy.md), correct for infinities, NaN and subnormal numbers. The files, in which the sources of
/// formulas stand:
///   exponential.cpp     exp expm1 log log1p sinh cosh tanh asinh acosh atanh
///   trigonometric.cpp   sin cos tan asin acos atan atan2
///   gaussian.cpp        erf erfc normal_cdf gelu_tanh_odds
///   gamma.cpp           lgamma digamma; gamma_zeros.cpp near their zeros at negative numbers
///   power.cpp           power floor_divide modulo
///   constant_power.cpp  power by a constant integer
///   division.cpp        division by a number that lanes share
namespace codegen::math {

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

SimdValue sin(SimdValue x);
SimdValue cos(SimdValue x);
SimdValue tan(SimdValue x);
SimdValue asin(SimdValue x);
SimdValue acos(SimdValue x);
SimdValue atan(SimdValue x);
SimdValue atan2(SimdValue y, SimdValue x);

SimdValue erf(SimdValue x);
SimdValue erfc(SimdValue x);
/// The probability that a standard normal variable is below x.
SimdValue normal_cdf(SimdValue x);
/// exp(2 sqrt(2 / pi) (x + 0.044715 x^3)).
SimdValue gelu_tanh_odds(SimdValue x);
SimdValue lgamma(SimdValue x);
SimdValue digamma(SimdValue x);

SimdValue power(SimdValue x, SimdValue y);
/// x^exponent by multiplications, and of a negative exponent one division, for integers too (where the
/// exponent is not negative). At most half a unit in the last place is lost with each factor.
SimdValue power(SimdValue x, int exponent);
/// The integer that y is in every lane, where it is a constant of at most that magnitude; not a negative one
/// of an integer type.
std::optional<int> constant_exponent(SimdValue y);
/// x / y of doubles, with the bits of that, for one y in all lanes, given as a scalar: a product and two
/// fused multiply-adds. Only where the target has those.
SimdValue divide_by_scalar(SimdValue x, SimdValue y);
/// The greatest integer that is not above the exact quotient.
SimdValue floor_divide(SimdValue x, SimdValue y);
/// x - y * floor(x / y) without rounding, with the sign of y.
SimdValue modulo(SimdValue x, SimdValue y);

/// ln 2 as a part whose products with exponents are exact, and the rest.
struct Ln2 {
  double high, low;
};
Ln2 split_ln2(SimdValue like);
/// e^x * 2^shift; `shift` of at most 2 binary digits.
SimdValue exp_scaled(SimdValue x, double shift);
/// x = 2^exponent * mantissa with the mantissa in [sqrt(1/2), sqrt(2)), for positive finite x.
struct Decomposed {
  SimdValue exponent, mantissa;
};
Decomposed decompose(SimdValue x);

/// A sum that is not rounded, |low| at most half a unit in the last place of `high`.
struct Pair {
  SimdValue high, low;
};
/// log(x) for positive finite x, with 5 bits more than the type has.
Pair log_extended(SimdValue x);
/// log(x) for positive finite x, also near 1.
SimdValue rounded_log(Pair x);
/// e^(x + low) = value * 2^exponent for |low| at most a unit in the last place of x, with 4 bits more than
/// the type has; the exponent must not exceed twice that of normal numbers.
struct Exponential {
  Pair value;
  SimdValue exponent;
};
Exponential exp_extended(SimdValue x, SimdValue low);
SimdValue rounded(const Exponential& e);
/// e^(x + low) for |low| at most a few units in the last place of x; where e^x is 0 or infinite, low does not
/// count.
SimdValue exp(SimdValue x, SimdValue low);

/// In an own function of the module, called on each lane: for what is rare and long. `write` gets scalars and
/// returns a scalar or a struct; the function is made once under `name`.
llvm::Function* scalar_function(SimdBuilder& lanes, const std::string& name, llvm::Type* result,
                                std::initializer_list<llvm::Type*> parameters,
                                llvm::Value* (*write)(SimdBuilder& lanes, llvm::Function& function));

/// Computes `far` for all lanes if, rarely, the `condition` of one lane is true, and `near` otherwise.
template <typename Far, typename Near>
SimdValue where_any(SimdValue condition, Far far, Near near) {
  SimdBuilder& l = *condition.lanes;
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

/// Repeats `step` on the values of the lanes of which the `condition` is true, while there are such lanes.
template <std::size_t count, typename Condition, typename Step>
std::array<SimdValue, count> repeat_where(std::array<SimdValue, count> values, Condition condition,
                                          Step step) {
  SimdBuilder& l = *values[0].lanes;
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

/// `compute` on double, rounded; on a double itself.
template <typename Compute>
SimdValue in_double(SimdValue x, Compute compute) {
  return x.is_double() ? compute(x) : to_float(compute(to_double(x)));
}

}  // namespace codegen::math
