#pragma once

#include <llvm/IR/IRBuilder.h>

#include <cstdint>

/// Writes LLVM IR for the same computation on `width` lanes at once (scalars where it is 1), for every
/// target.
namespace codegen::math {

/// What the target computes in one instruction; what it lacks is written out, so that no library call is
/// made.
struct Features {
  bool fma = true;       ///< fused multiply-add
  bool rounding = true;  ///< floor, ceil, trunc, rint
};

class Lanes;

/// A value of a fixed number of lanes: floating-point, integer or bool (i1). Operators are those of its type;
/// integers are signed where it matters.
struct Number {
  Lanes* lanes = nullptr;
  llvm::Value* value = nullptr;

  bool is_double() const { return value->getType()->getScalarType()->isDoubleTy(); }
  bool is_floating() const { return value->getType()->getScalarType()->isFloatingPointTy(); }
  unsigned bits() const { return value->getType()->getScalarSizeInBits(); }
};

class Lanes {
 public:
  Lanes(llvm::IRBuilder<>& builder, unsigned width, Features features)
      : b(builder), width(width), features(features) {}

  llvm::IRBuilder<>& b;
  const unsigned width;
  const Features features;

  /// `scalar`, or a vector of it.
  llvm::Type* type(llvm::Type* scalar) const {
    return width == 1 ? scalar : llvm::FixedVectorType::get(scalar, width);
  }
  llvm::Type* f32() const { return type(b.getFloatTy()); }
  llvm::Type* f64() const { return type(b.getDoubleTy()); }
  llvm::Type* integer(unsigned bits) const { return type(b.getIntNTy(bits)); }
  /// The integer lanes as wide as those of `of`.
  llvm::Type* integer_like(Number of) const { return integer(of.bits()); }

  Number number(llvm::Value* value) { return {this, value}; }
  /// A scalar in every lane.
  llvm::Value* splat(llvm::Value* scalar) { return width == 1 ? scalar : b.CreateVectorSplat(width, scalar); }
  Number constant(llvm::Type* type, double value) { return number(llvm::ConstantFP::get(type, value)); }
  Number integer_constant(llvm::Type* type, std::uint64_t value) {
    return number(llvm::ConstantInt::get(type, value));
  }
  /// The lanes' numbers 0, 1 …, as `type`.
  llvm::Value* numbers(llvm::Type* scalar);
  /// Whether any lane is true, as i1.
  llvm::Value* any(Number condition) {
    return width == 1 ? condition.value : b.CreateOrReduce(condition.value);
  }
};

Number operator+(Number a, Number b);
Number operator-(Number a, Number b);
Number operator*(Number a, Number b);
Number operator/(Number a, Number b);  ///< floating-point
Number operator-(Number a);
Number operator+(Number a, double b);
Number operator-(Number a, double b);
Number operator*(Number a, double b);
Number operator/(Number a, double b);
Number operator+(double a, Number b);
Number operator-(double a, Number b);
Number operator*(double a, Number b);
Number operator/(double a, Number b);

/// Comparisons of floating-point numbers (false where either is NaN) or signed integers.
Number operator<(Number a, Number b);
Number operator<=(Number a, Number b);
Number operator>(Number a, Number b);
Number operator>=(Number a, Number b);
Number operator==(Number a, Number b);
Number operator<(Number a, double b);
Number operator<=(Number a, double b);
Number operator>(Number a, double b);
Number operator>=(Number a, double b);
Number operator==(Number a, double b);
Number is_nan(Number a);

Number operator&(Number a, Number b);
Number operator|(Number a, Number b);
Number operator^(Number a, Number b);
Number operator!(Number a);  ///< of bools
Number operator<<(Number a, unsigned by);
Number shift_right(Number a, unsigned by);             ///< zeros come in
Number shift_right_arithmetic(Number a, unsigned by);  ///< the sign comes in

Number select(Number condition, Number a, Number b);
Number select(Number condition, double a, Number b);
Number select(Number condition, Number a, double b);

/// a * b + c, fused where the target has it.
Number fma(Number a, Number b, Number c);
Number fma(Number a, Number b, double c);
Number fma(Number a, double b, Number c);
/// a * b = product + error exactly, barring over- and underflow.
Number product_error(Number a, Number b, Number product);
/// a * b + c = sum + error, where sum = fma(a, b, c) and c - sum is exact.
Number fma_error(Number a, Number b, Number c, Number sum);

Number abs(Number a);
Number sqrt(Number a);
Number copy_sign(Number magnitude, Number sign);
Number floor(Number a);
Number ceil(Number a);
Number truncate(Number a);
Number round_even(Number a);  ///< to the nearest integer, half to even
Number round_away(Number a);  ///< to the nearest integer, half away from zero
/// NaN where either is NaN; -0 below +0.
Number minimum(Number a, Number b);
Number maximum(Number a, Number b);

Number bits_of(Number a);                        ///< as an integer
Number from_bits(Number a);                      ///< an integer as float or double, by its width
Number to_double(Number a);                      ///< of a float
Number to_float(Number a);                       ///< rounds
Number to_integer(Number a, unsigned bits);      ///< towards zero; the value must fit
Number to_floating(Number a, llvm::Type* like);  ///< of a signed integer
/// 2^k for a floating-point integer k within the normal exponents.
Number power_of_two(Number k);
/// coefficients[0] + x * (coefficients[1] + x * …)
Number polynomial(Number x, std::initializer_list<double> coefficients);

}  // namespace codegen::math
