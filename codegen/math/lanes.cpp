#include "codegen/math/lanes.h"

#include <limits>
#include <vector>

namespace codegen::math {
namespace {

llvm::IRBuilder<>& builder(Number a) { return a.lanes->b; }
Number made(Number like, llvm::Value* value) { return {like.lanes, value}; }
Number constant(Number like, double value) {
  if (like.is_floating()) return like.lanes->constant(like.value->getType(), value);
  return like.lanes->integer_constant(like.value->getType(),
                                      static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
}
Number intrinsic(llvm::Intrinsic::ID id, Number a) {
  return made(a, builder(a).CreateUnaryIntrinsic(id, a.value));
}
/// Adding and subtracting this rounds to an integer, where the magnitude is below it.
double rounder(Number a) { return a.is_double() ? 0x1p52 : 0x1p23; }

}  // namespace

llvm::Value* Lanes::numbers(llvm::Type* scalar) {
  if (width == 1) return llvm::ConstantInt::get(scalar, 0);
  std::vector<llvm::Constant*> elements;
  for (unsigned i = 0; i < width; ++i) elements.push_back(llvm::ConstantInt::get(scalar, i));
  return llvm::ConstantVector::get(elements);
}

Number operator+(Number a, Number b) {
  return made(
      a, a.is_floating() ? builder(a).CreateFAdd(a.value, b.value) : builder(a).CreateAdd(a.value, b.value));
}
Number operator-(Number a, Number b) {
  return made(
      a, a.is_floating() ? builder(a).CreateFSub(a.value, b.value) : builder(a).CreateSub(a.value, b.value));
}
Number operator*(Number a, Number b) {
  return made(
      a, a.is_floating() ? builder(a).CreateFMul(a.value, b.value) : builder(a).CreateMul(a.value, b.value));
}
Number operator/(Number a, Number b) { return made(a, builder(a).CreateFDiv(a.value, b.value)); }
Number operator-(Number a) {
  return made(a, a.is_floating() ? builder(a).CreateFNeg(a.value) : builder(a).CreateNeg(a.value));
}
Number operator+(Number a, double b) { return a + constant(a, b); }
Number operator-(Number a, double b) { return a - constant(a, b); }
Number operator*(Number a, double b) { return a * constant(a, b); }
Number operator/(Number a, double b) { return a / constant(a, b); }
Number operator+(double a, Number b) { return constant(b, a) + b; }
Number operator-(double a, Number b) { return constant(b, a) - b; }
Number operator*(double a, Number b) { return constant(b, a) * b; }
Number operator/(double a, Number b) { return constant(b, a) / b; }

Number operator<(Number a, Number b) {
  return made(a, a.is_floating() ? builder(a).CreateFCmpOLT(a.value, b.value)
                                 : builder(a).CreateICmpSLT(a.value, b.value));
}
Number operator<=(Number a, Number b) {
  return made(a, a.is_floating() ? builder(a).CreateFCmpOLE(a.value, b.value)
                                 : builder(a).CreateICmpSLE(a.value, b.value));
}
Number operator>(Number a, Number b) { return b < a; }
Number operator>=(Number a, Number b) { return b <= a; }
Number operator==(Number a, Number b) {
  return made(a, a.is_floating() ? builder(a).CreateFCmpOEQ(a.value, b.value)
                                 : builder(a).CreateICmpEQ(a.value, b.value));
}
Number operator<(Number a, double b) { return a < constant(a, b); }
Number operator<=(Number a, double b) { return a <= constant(a, b); }
Number operator>(Number a, double b) { return a > constant(a, b); }
Number operator>=(Number a, double b) { return a >= constant(a, b); }
Number operator==(Number a, double b) { return a == constant(a, b); }
Number is_nan(Number a) { return made(a, builder(a).CreateFCmpUNO(a.value, a.value)); }

Number operator&(Number a, Number b) { return made(a, builder(a).CreateAnd(a.value, b.value)); }
Number operator|(Number a, Number b) { return made(a, builder(a).CreateOr(a.value, b.value)); }
Number operator^(Number a, Number b) { return made(a, builder(a).CreateXor(a.value, b.value)); }
Number operator!(Number a) { return made(a, builder(a).CreateNot(a.value)); }
Number operator<<(Number a, unsigned by) { return made(a, builder(a).CreateShl(a.value, by)); }
Number shift_right(Number a, unsigned by) { return made(a, builder(a).CreateLShr(a.value, by)); }
Number shift_right_arithmetic(Number a, unsigned by) { return made(a, builder(a).CreateAShr(a.value, by)); }

Number select(Number condition, Number a, Number b) {
  return made(a, builder(a).CreateSelect(condition.value, a.value, b.value));
}
Number select(Number condition, double a, Number b) { return select(condition, constant(b, a), b); }
Number select(Number condition, Number a, double b) { return select(condition, a, constant(a, b)); }

Number fma(Number a, Number b, Number c) {
  if (!a.is_floating() || !a.lanes->features.fma) return a * b + c;
  return made(
      a, builder(a).CreateIntrinsic(llvm::Intrinsic::fma, {a.value->getType()}, {a.value, b.value, c.value}));
}
Number fma(Number a, Number b, double c) { return fma(a, b, constant(a, c)); }
Number fma(Number a, double b, Number c) { return fma(a, constant(a, b), c); }

Number product_error(Number a, Number b, Number product) {
  if (a.lanes->features.fma) return fma(a, b, -product);
  // Veltkamp's splitting and Dekker's product (T. J. Dekker, A floating-point technique, 1971).
  const double factor = a.is_double() ? 0x1p27 + 1 : 0x1p12 + 1;
  const auto high = [&](Number x) {
    const Number scaled = x * factor;
    return scaled - (scaled - x);
  };
  const Number ah = high(a), al = a - ah, bh = high(b), bl = b - bh;
  return ((ah * bh - product) + ah * bl + al * bh) + al * bl;
}

Number fma_error(Number a, Number b, Number c, Number sum) {
  if (a.lanes->features.fma) return fma(a, b, c - sum);
  const Number product = a * b;
  return (product + (c - sum)) + product_error(a, b, product);
}

Number abs(Number a) { return intrinsic(llvm::Intrinsic::fabs, a); }
Number sqrt(Number a) { return intrinsic(llvm::Intrinsic::sqrt, a); }
Number copy_sign(Number magnitude, Number sign) {
  return made(magnitude, builder(magnitude).CreateBinaryIntrinsic(llvm::Intrinsic::copysign, magnitude.value,
                                                                  sign.value));
}

Number round_even(Number a) {
  if (a.lanes->features.rounding) return intrinsic(llvm::Intrinsic::roundeven, a);
  const Number magnitude = abs(a);
  const Number rounded = (magnitude + rounder(a)) - rounder(a);
  return copy_sign(select(magnitude < rounder(a), rounded, magnitude), a);
}
Number floor(Number a) {
  if (a.lanes->features.rounding) return intrinsic(llvm::Intrinsic::floor, a);
  const Number near = round_even(a);
  return copy_sign(select(near > a, near - 1, near), a);
}
Number ceil(Number a) {
  if (a.lanes->features.rounding) return intrinsic(llvm::Intrinsic::ceil, a);
  return -floor(-a);
}
Number truncate(Number a) {
  if (a.lanes->features.rounding) return intrinsic(llvm::Intrinsic::trunc, a);
  return copy_sign(floor(abs(a)), a);
}
Number round_away(Number a) {
  const Number whole = truncate(abs(a));
  return copy_sign(select(abs(a) - whole >= 0.5, whole + 1, whole), a);
}

Number minimum(Number a, Number b) {
  const Number smaller = select(a < b, a, b);
  const Number both = from_bits(bits_of(a) | bits_of(b));  // of two zeros -0 where either is
  return select(is_nan(a), a, select(a == b, both, smaller));
}
Number maximum(Number a, Number b) {
  const Number larger = select(a > b, a, b);
  const Number both = from_bits(bits_of(a) & bits_of(b));  // of two zeros +0 where either is
  return select(is_nan(a), a, select(a == b, both, larger));
}

Number bits_of(Number a) { return made(a, builder(a).CreateBitCast(a.value, a.lanes->integer(a.bits()))); }
Number from_bits(Number a) {
  return made(a, builder(a).CreateBitCast(a.value, a.bits() == 64 ? a.lanes->f64() : a.lanes->f32()));
}
Number to_double(Number a) { return made(a, builder(a).CreateFPExt(a.value, a.lanes->f64())); }
Number to_float(Number a) { return made(a, builder(a).CreateFPTrunc(a.value, a.lanes->f32())); }
Number to_integer(Number a, unsigned bits) {
  return made(a, builder(a).CreateFPToSI(a.value, a.lanes->integer(bits)));
}
Number to_floating(Number a, llvm::Type* like) { return made(a, builder(a).CreateSIToFP(a.value, like)); }

Number power_of_two(Number k) {
  // k + 1.5 * 2^52 holds k in its low bits; the exponent field is k + bias.
  const double magic = k.is_double() ? 0x1.8p52 : 0x1.8p23;
  const double bias = k.is_double() ? 1023 : 127;
  return from_bits(bits_of(k + (magic + bias)) << (k.is_double() ? 52 : 23));
}

Number polynomial(Number x, std::initializer_list<double> coefficients) {
  const double* c = coefficients.begin() + coefficients.size() - 1;
  Number sum = constant(x, *c);
  while (c != coefficients.begin()) sum = fma(sum, x, *--c);
  return sum;
}

}  // namespace codegen::math
