#pragma once

#include <llvm/IR/MDBuilder.h>

#include <array>
#include <optional>

#include "codegen/math/lanes.h"

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
/// The probability that a standard normal variable is below x.
Number normal_cdf(Number x);
/// exp(2 sqrt(2 / pi) (x + 0.044715 x^3)).
Number gelu_tanh_odds(Number x);
Number lgamma(Number x);
Number digamma(Number x);

Number power(Number x, Number y);
/// x^exponent by multiplications, and of a negative exponent one division, for integers too (where the
/// exponent is not negative). At most half a unit in the last place is lost with each factor.
Number power(Number x, int exponent);
/// The integer that y is in every lane, where it is a constant of at most that magnitude; not a negative one
/// of an integer type.
std::optional<int> constant_exponent(Number y);
/// x / y of doubles, with the bits of that, for one y in all lanes, given as a scalar: a product and two
/// fused multiply-adds. Only where the target has those.
Number divide_by_scalar(Number x, Number y);
/// The greatest integer that is not above the exact quotient.
Number floor_divide(Number x, Number y);
/// x - y * floor(x / y) without rounding, with the sign of y.
Number modulo(Number x, Number y);

/// ln 2 as a part whose products with exponents are exact, and the rest.
struct Ln2 {
  double high, low;
};
Ln2 split_ln2(Number like);
/// e^x * 2^shift; `shift` of at most 2 binary digits.
Number exp_scaled(Number x, double shift);
/// x = 2^exponent * mantissa with the mantissa in [sqrt(1/2), sqrt(2)), for positive finite x.
struct Decomposed {
  Number exponent, mantissa;
};
Decomposed decompose(Number x);

/// A sum that is not rounded, |low| at most half a unit in the last place of `high`.
struct Pair {
  Number high, low;
};
/// log(x) for positive finite x, with 5 bits more than the type has.
Pair log_extended(Number x);
/// log(x) for positive finite x, also near 1.
Number rounded_log(Pair x);
/// e^(x + low) = value * 2^exponent for |low| at most a unit in the last place of x, with 4 bits more than
/// the type has; the exponent must not exceed twice that of normal numbers.
struct Exponential {
  Pair value;
  Number exponent;
};
Exponential exp_extended(Number x, Number low);
Number rounded(const Exponential& e);
/// e^(x + low) for |low| at most a few units in the last place of x; where e^x is 0 or infinite, low does not
/// count.
Number exp(Number x, Number low);

/// In an own function of the module, called on each lane: for what is rare and long. `write` gets scalars and
/// returns a scalar or a struct; the function is made once under `name`.
llvm::Function* scalar_function(Lanes& lanes, const std::string& name, llvm::Type* result,
                                std::initializer_list<llvm::Type*> parameters,
                                llvm::Value* (*write)(Lanes& lanes, llvm::Function& function));

/// Computes `far` for all lanes if, rarely, the `condition` of one lane is true, and `near` otherwise.
template <typename Far, typename Near>
Number where_any(Number condition, Far far, Near near) {
  Lanes& l = *condition.lanes;
  llvm::IRBuilder<>& b = l.b;
  llvm::Function* here = b.GetInsertBlock()->getParent();
  const auto block = [&](const char* name) { return llvm::BasicBlock::Create(b.getContext(), name, here); };
  llvm::BasicBlock *blocks[] = {block("far"), block("near")}, *done = block("done");
  b.CreateCondBr(l.any(condition), blocks[0], blocks[1],
                 llvm::MDBuilder(b.getContext()).createUnlikelyBranchWeights());
  const auto compute = [&](llvm::BasicBlock*& block, auto& one) {
    b.SetInsertPoint(block);
    const Number value = one();
    block = b.GetInsertBlock();
    b.CreateBr(done);
    return value;
  };
  const Number values[] = {compute(blocks[0], far), compute(blocks[1], near)};
  b.SetInsertPoint(done);
  llvm::PHINode* phi = b.CreatePHI(values[0].value->getType(), 2);
  for (int i = 0; i < 2; ++i) phi->addIncoming(values[i].value, blocks[i]);
  return l.number(phi);
}

/// Repeats `step` on the values of the lanes of which the `condition` is true, while there are such lanes.
template <std::size_t count, typename Condition, typename Step>
std::array<Number, count> repeat_where(std::array<Number, count> values, Condition condition, Step step) {
  Lanes& l = *values[0].lanes;
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
  const Number more = condition(values);
  b.CreateCondBr(l.any(more), body, done);
  b.SetInsertPoint(body);
  const std::array<Number, count> next = step(values);
  for (std::size_t i = 0; i < count; ++i)
    phis[i]->addIncoming(select(more, next[i], values[i]).value, b.GetInsertBlock());
  b.CreateBr(head);
  b.SetInsertPoint(done);
  return values;
}

/// `compute` on double, rounded; on a double itself.
template <typename Compute>
Number in_double(Number x, Compute compute) {
  return x.is_double() ? compute(x) : to_float(compute(to_double(x)));
}

}  // namespace codegen::math
