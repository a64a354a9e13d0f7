#include "codegen/math/simd.h"

#include <llvm/IR/IntrinsicsX86.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

namespace codegen::math {
namespace {

llvm::IRBuilder<>& builder(SimdValue a) { return a.builder->b; }
SimdValue made(SimdValue like, llvm::Value* value) { return {like.builder, value}; }
SimdValue constant(SimdValue like, double value) {
  if (like.is_floating()) return like.builder->constant(like.value->getType(), value);
  return like.builder->integer_constant(like.value->getType(),
                                        static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
}
SimdValue intrinsic(llvm::Intrinsic::ID id, SimdValue a) {
  return made(a, builder(a).CreateUnaryIntrinsic(id, a.value));
}
/// Adding and subtracting this rounds to an integer, where the magnitude is below it.
double rounder(SimdValue a) { return a.is_double() ? 0x1p52 : 0x1p23; }

}  // namespace

llvm::Value* SimdBuilder::numbers(llvm::Type* scalar) {
  if (width == 1) return llvm::ConstantInt::get(scalar, 0);
  std::vector<llvm::Constant*> elements;
  for (unsigned i = 0; i < width; ++i) elements.push_back(llvm::ConstantInt::get(scalar, i));
  return llvm::ConstantVector::get(elements);
}

SimdValue operator+(SimdValue a, SimdValue b) {
  return made(
      a, a.is_floating() ? builder(a).CreateFAdd(a.value, b.value) : builder(a).CreateAdd(a.value, b.value));
}
SimdValue operator-(SimdValue a, SimdValue b) {
  return made(
      a, a.is_floating() ? builder(a).CreateFSub(a.value, b.value) : builder(a).CreateSub(a.value, b.value));
}
SimdValue operator*(SimdValue a, SimdValue b) {
  return made(
      a, a.is_floating() ? builder(a).CreateFMul(a.value, b.value) : builder(a).CreateMul(a.value, b.value));
}
SimdValue operator/(SimdValue a, SimdValue b) { return made(a, builder(a).CreateFDiv(a.value, b.value)); }
SimdValue operator-(SimdValue a) {
  return made(a, a.is_floating() ? builder(a).CreateFNeg(a.value) : builder(a).CreateNeg(a.value));
}
SimdValue operator+(SimdValue a, double b) { return a + constant(a, b); }
SimdValue operator-(SimdValue a, double b) { return a - constant(a, b); }
SimdValue operator*(SimdValue a, double b) { return a * constant(a, b); }
SimdValue operator/(SimdValue a, double b) { return a / constant(a, b); }
SimdValue operator+(double a, SimdValue b) { return constant(b, a) + b; }
SimdValue operator-(double a, SimdValue b) { return constant(b, a) - b; }
SimdValue operator*(double a, SimdValue b) { return constant(b, a) * b; }
SimdValue operator/(double a, SimdValue b) { return constant(b, a) / b; }

SimdValue operator<(SimdValue a, SimdValue b) {
  return made(a, a.is_floating() ? builder(a).CreateFCmpOLT(a.value, b.value)
                                 : builder(a).CreateICmpSLT(a.value, b.value));
}
SimdValue operator<=(SimdValue a, SimdValue b) {
  return made(a, a.is_floating() ? builder(a).CreateFCmpOLE(a.value, b.value)
                                 : builder(a).CreateICmpSLE(a.value, b.value));
}
SimdValue operator>(SimdValue a, SimdValue b) { return b < a; }
SimdValue operator>=(SimdValue a, SimdValue b) { return b <= a; }
SimdValue operator==(SimdValue a, SimdValue b) {
  return made(a, a.is_floating() ? builder(a).CreateFCmpOEQ(a.value, b.value)
                                 : builder(a).CreateICmpEQ(a.value, b.value));
}
SimdValue operator<(SimdValue a, double b) { return a < constant(a, b); }
SimdValue operator<=(SimdValue a, double b) { return a <= constant(a, b); }
SimdValue operator>(SimdValue a, double b) { return a > constant(a, b); }
SimdValue operator>=(SimdValue a, double b) { return a >= constant(a, b); }
SimdValue operator==(SimdValue a, double b) { return a == constant(a, b); }
SimdValue is_nan(SimdValue a) { return made(a, builder(a).CreateFCmpUNO(a.value, a.value)); }

SimdValue operator&(SimdValue a, SimdValue b) { return made(a, builder(a).CreateAnd(a.value, b.value)); }
SimdValue operator|(SimdValue a, SimdValue b) { return made(a, builder(a).CreateOr(a.value, b.value)); }
SimdValue operator^(SimdValue a, SimdValue b) { return made(a, builder(a).CreateXor(a.value, b.value)); }
SimdValue operator!(SimdValue a) { return made(a, builder(a).CreateNot(a.value)); }
SimdValue operator<<(SimdValue a, unsigned by) { return made(a, builder(a).CreateShl(a.value, by)); }
SimdValue shift_right(SimdValue a, unsigned by) { return made(a, builder(a).CreateLShr(a.value, by)); }
SimdValue shift_right_arithmetic(SimdValue a, unsigned by) {
  return made(a, builder(a).CreateAShr(a.value, by));
}

SimdValue select(SimdValue condition, SimdValue a, SimdValue b) {
  return made(a, builder(a).CreateSelect(condition.value, a.value, b.value));
}
SimdValue select(SimdValue condition, double a, SimdValue b) { return select(condition, constant(b, a), b); }
SimdValue select(SimdValue condition, SimdValue a, double b) { return select(condition, a, constant(a, b)); }

SimdValue fma(SimdValue a, SimdValue b, SimdValue c) {
  if (!a.is_floating() || !a.builder->features.fma) return a * b + c;
  return made(
      a, builder(a).CreateIntrinsic(llvm::Intrinsic::fma, {a.value->getType()}, {a.value, b.value, c.value}));
}
SimdValue fma(SimdValue a, SimdValue b, double c) { return fma(a, b, constant(a, c)); }
SimdValue fma(SimdValue a, double b, SimdValue c) { return fma(a, constant(a, b), c); }

SimdValue product_error(SimdValue a, SimdValue b, SimdValue product) {
  if (a.builder->features.fma) return fma(a, b, -product);
  // Veltkamp's splitting and Dekker's product (T. J. Dekker, A floating-point technique, 1971).
  const double factor = a.is_double() ? 0x1p27 + 1 : 0x1p12 + 1;
  const auto high = [&](SimdValue x) {
    const SimdValue scaled = x * factor;
    return scaled - (scaled - x);
  };
  const SimdValue ah = high(a), al = a - ah, bh = high(b), bl = b - bh;
  return ((ah * bh - product) + ah * bl + al * bh) + al * bl;
}

SimdValue fma_error(SimdValue a, SimdValue b, SimdValue c, SimdValue sum) {
  if (a.builder->features.fma) return fma(a, b, c - sum);
  const SimdValue product = a * b;
  return (product + (c - sum)) + product_error(a, b, product);
}

SimdValue abs(SimdValue a) { return intrinsic(llvm::Intrinsic::fabs, a); }
SimdValue sqrt(SimdValue a) { return intrinsic(llvm::Intrinsic::sqrt, a); }
SimdValue copy_sign(SimdValue magnitude, SimdValue sign) {
  return made(magnitude, builder(magnitude).CreateBinaryIntrinsic(llvm::Intrinsic::copysign, magnitude.value,
                                                                  sign.value));
}

SimdValue round_even(SimdValue a) {
  if (a.builder->features.rounding) return intrinsic(llvm::Intrinsic::roundeven, a);
  const SimdValue magnitude = abs(a);
  const SimdValue rounded = (magnitude + rounder(a)) - rounder(a);
  return copy_sign(select(magnitude < rounder(a), rounded, magnitude), a);
}
SimdValue floor(SimdValue a) {
  if (a.builder->features.rounding) return intrinsic(llvm::Intrinsic::floor, a);
  const SimdValue near = round_even(a);
  return copy_sign(select(near > a, near - 1, near), a);
}
SimdValue ceil(SimdValue a) {
  if (a.builder->features.rounding) return intrinsic(llvm::Intrinsic::ceil, a);
  return -floor(-a);
}
SimdValue truncate(SimdValue a) {
  if (a.builder->features.rounding) return intrinsic(llvm::Intrinsic::trunc, a);
  return copy_sign(floor(abs(a)), a);
}
SimdValue round_away(SimdValue a) {
  const SimdValue whole = truncate(abs(a));
  return copy_sign(select(abs(a) - whole >= 0.5, whole + 1, whole), a);
}

namespace {

/// Selects the smaller or the larger of two numbers, whose sign the result has.
enum class Range : std::uint8_t { minimum = 0b0100, maximum = 0b0101 };

/// Returns the smaller or the larger number of each lane by `vrange`, or nothing where there is no such
/// instruction for the vectors. The instruction ignores a NaN, so lanes with one take the operands' sum.
std::optional<SimdValue> find_range(SimdValue a, SimdValue b, Range range) {
  if (!a.builder->features.range || !a.is_floating()) return std::nullopt;
  const unsigned bits = a.builder->width * a.bits();
  using namespace llvm::Intrinsic;
  const auto pick = [&](ID f32, ID f64) { return a.is_double() ? f64 : f32; };
  const ID id = bits == 512   ? pick(x86_avx512_mask_range_ps_512, x86_avx512_mask_range_pd_512)
                : bits == 256 ? pick(x86_avx512_mask_range_ps_256, x86_avx512_mask_range_pd_256)
                : bits == 128 ? pick(x86_avx512_mask_range_ps_128, x86_avx512_mask_range_pd_128)
                              : ID(not_intrinsic);
  if (id == not_intrinsic) return std::nullopt;
  llvm::IRBuilder<>& at = builder(a);
  llvm::Type* mask = at.getIntNTy(std::max(8U, a.builder->width));
  std::vector<llvm::Value*> arguments{a.value, b.value, at.getInt32(static_cast<std::uint32_t>(range)),
                                      llvm::Constant::getNullValue(a.value->getType()),
                                      llvm::Constant::getAllOnesValue(mask)};
  constexpr std::uint32_t current_rounding = 4;
  if (bits == 512) arguments.push_back(at.getInt32(current_rounding));
  const SimdValue number = made(a, at.CreateIntrinsic(id, arguments));
  return select(made(a, at.CreateFCmpUNO(a.value, b.value)), a + b, number);
}

}  // namespace

SimdValue minimum(SimdValue a, SimdValue b) {
  if (const auto result = find_range(a, b, Range::minimum)) return *result;
  const SimdValue smaller = select(a < b, a, b);
  const SimdValue both = from_bits(bits_of(a) | bits_of(b));  // of two zeros -0 where either is
  return select(is_nan(a), a, select(a == b, both, smaller));
}
SimdValue maximum(SimdValue a, SimdValue b) {
  if (const auto result = find_range(a, b, Range::maximum)) return *result;
  const SimdValue larger = select(a > b, a, b);
  const SimdValue both = from_bits(bits_of(a) & bits_of(b));  // of two zeros +0 where either is
  return select(is_nan(a), a, select(a == b, both, larger));
}

SimdValue bits_of(SimdValue a) {
  return made(a, builder(a).CreateBitCast(a.value, a.builder->integer(a.bits())));
}
SimdValue from_bits(SimdValue a) {
  return made(a, builder(a).CreateBitCast(a.value, a.bits() == 64 ? a.builder->f64() : a.builder->f32()));
}
SimdValue to_double(SimdValue a) { return made(a, builder(a).CreateFPExt(a.value, a.builder->f64())); }
SimdValue to_float(SimdValue a) { return made(a, builder(a).CreateFPTrunc(a.value, a.builder->f32())); }
SimdValue to_integer(SimdValue a, unsigned bits) {
  return made(a, builder(a).CreateFPToSI(a.value, a.builder->integer(bits)));
}
SimdValue to_floating(SimdValue a, llvm::Type* like) {
  return made(a, builder(a).CreateSIToFP(a.value, like));
}

SimdValue power_of_two(SimdValue k) {
  // k + 1.5 * 2^52 holds k in its low bits; the exponent field is k + bias.
  const double magic = k.is_double() ? 0x1.8p52 : 0x1.8p23;
  const double bias = k.is_double() ? 1023 : 127;
  return from_bits(bits_of(k + (magic + bias)) << (k.is_double() ? 52 : 23));
}

SimdValue polynomial(SimdValue x, std::initializer_list<double> coefficients) {
  const double* c = coefficients.begin() + coefficients.size() - 1;
  SimdValue sum = constant(x, *c);
  while (c != coefficients.begin()) sum = fma(sum, x, *--c);
  return sum;
}

}  // namespace codegen::math
