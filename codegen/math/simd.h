#pragma once

#include <llvm/IR/IRBuilder.h>

#include <cstdint>

/// Emits LLVM IR that performs one computation on `width` lanes at once, or on scalars if `width` is 1, for
/// every target.
namespace codegen::math {

/// The operations that the target computes in one instruction. Others become several instructions, never a
/// library call.
struct Features {
  bool fma = true;            ///< fused multiply-add
  bool rounding = true;       ///< floor, ceil, trunc, rint
  bool range = false;         ///< maximum and minimum of numbers that tell -0 from +0: AVX-512's `vrange`
  bool masks = true;          ///< accesses under a mask cost what others do
  unsigned vector_bytes = 0;  ///< the size of a vector register; 0 if vectors of any size have one
};

class SimdBuilder;

/// A value with a fixed number of lanes of floating-point, integer or bool (i1) type. The operators are those
/// of the lanes' type; integers are signed unless an operation says otherwise.
struct SimdValue {
  SimdBuilder* builder = nullptr;
  llvm::Value* value = nullptr;

  bool is_double() const { return value->getType()->getScalarType()->isDoubleTy(); }
  bool is_floating() const { return value->getType()->getScalarType()->isFloatingPointTy(); }
  unsigned bits() const { return value->getType()->getScalarSizeInBits(); }
};

/// Emits instructions on `width` lanes at the insertion point of `b`.
class SimdBuilder {
 public:
  SimdBuilder(llvm::IRBuilder<>& builder, unsigned width, Features features)
      : b(builder), width(width), features(features) {}

  llvm::IRBuilder<>& b;
  const unsigned width;
  const Features features;

  /// Returns `scalar` itself if `width` is 1, else a vector of `width` scalars.
  llvm::Type* type(llvm::Type* scalar) const {
    return width == 1 ? scalar : llvm::FixedVectorType::get(scalar, width);
  }
  llvm::Type* f32() const { return type(b.getFloatTy()); }
  llvm::Type* f64() const { return type(b.getDoubleTy()); }
  llvm::Type* integer(unsigned bits) const { return type(b.getIntNTy(bits)); }
  /// Returns the type of integer lanes as wide as the lanes of `of`.
  llvm::Type* integer_like(SimdValue of) const { return integer(of.bits()); }

  SimdValue number(llvm::Value* value) { return {this, value}; }
  /// Returns `scalar` in every lane.
  llvm::Value* splat(llvm::Value* scalar) { return width == 1 ? scalar : b.CreateVectorSplat(width, scalar); }
  SimdValue constant(llvm::Type* type, double value) { return number(llvm::ConstantFP::get(type, value)); }
  SimdValue integer_constant(llvm::Type* type, std::uint64_t value) {
    return number(llvm::ConstantInt::get(type, value));
  }
  /// Returns the lane indices 0, 1 … as values of type `scalar`.
  llvm::Value* numbers(llvm::Type* scalar);
  /// Returns whether any lane is true, as i1.
  llvm::Value* any(SimdValue condition) {
    return width == 1 ? condition.value : b.CreateOrReduce(condition.value);
  }
};

SimdValue operator+(SimdValue a, SimdValue b);
SimdValue operator-(SimdValue a, SimdValue b);
SimdValue operator*(SimdValue a, SimdValue b);
SimdValue operator/(SimdValue a, SimdValue b);  ///< floating-point
SimdValue operator-(SimdValue a);
SimdValue operator+(SimdValue a, double b);
SimdValue operator-(SimdValue a, double b);
SimdValue operator*(SimdValue a, double b);
SimdValue operator/(SimdValue a, double b);
SimdValue operator+(double a, SimdValue b);
SimdValue operator-(double a, SimdValue b);
SimdValue operator*(double a, SimdValue b);
SimdValue operator/(double a, SimdValue b);

/// Compare floating-point numbers (false if either is NaN) or signed integers.
SimdValue operator<(SimdValue a, SimdValue b);
SimdValue operator<=(SimdValue a, SimdValue b);
SimdValue operator>(SimdValue a, SimdValue b);
SimdValue operator>=(SimdValue a, SimdValue b);
SimdValue operator==(SimdValue a, SimdValue b);
SimdValue operator<(SimdValue a, double b);
SimdValue operator<=(SimdValue a, double b);
SimdValue operator>(SimdValue a, double b);
SimdValue operator>=(SimdValue a, double b);
SimdValue operator==(SimdValue a, double b);
SimdValue is_nan(SimdValue a);

SimdValue operator&(SimdValue a, SimdValue b);
SimdValue operator|(SimdValue a, SimdValue b);
SimdValue operator^(SimdValue a, SimdValue b);
/// Negates bools.
SimdValue operator!(SimdValue a);
SimdValue operator<<(SimdValue a, unsigned by);
SimdValue shift_right(SimdValue a, unsigned by);             ///< logical right shift
SimdValue shift_right_arithmetic(SimdValue a, unsigned by);  ///< arithmetic right shift

/// Returns, in each lane, `a` if `condition` is true and else `b`.
SimdValue select(SimdValue condition, SimdValue a, SimdValue b);
SimdValue select(SimdValue condition, double a, SimdValue b);
SimdValue select(SimdValue condition, SimdValue a, double b);

/// Returns a * b + c, fused if the target can.
SimdValue fma(SimdValue a, SimdValue b, SimdValue c);
SimdValue fma(SimdValue a, SimdValue b, double c);
SimdValue fma(SimdValue a, double b, SimdValue c);
/// Returns the error for which a * b = product + error exactly, if nothing overflows or underflows.
SimdValue product_error(SimdValue a, SimdValue b, SimdValue product);
/// Returns the error for which a * b + c = sum + error, if sum = fma(a, b, c) and c - sum is exact.
SimdValue fma_error(SimdValue a, SimdValue b, SimdValue c, SimdValue sum);

/// Return the function of that name for each lane; the result of `copy_sign` has the absolute value of
/// `magnitude`.
SimdValue abs(SimdValue a);
SimdValue sqrt(SimdValue a);
SimdValue copy_sign(SimdValue magnitude, SimdValue sign);
SimdValue floor(SimdValue a);
SimdValue ceil(SimdValue a);
SimdValue truncate(SimdValue a);
SimdValue round_even(SimdValue a);  ///< to the nearest integer, half to even
SimdValue round_away(SimdValue a);  ///< to the nearest integer, half away from zero
/// Return the smaller or larger value. The result is NaN if either is NaN, and -0 is below +0.
SimdValue minimum(SimdValue a, SimdValue b);
SimdValue maximum(SimdValue a, SimdValue b);

/// Returns the float's bits as an integer.
SimdValue bits_of(SimdValue a);
SimdValue from_bits(SimdValue a);  ///< the float or double, by the integer's width, that has these bits
/// Converts a float to double.
SimdValue to_double(SimdValue a);
SimdValue to_float(SimdValue a);                   ///< rounds
SimdValue to_integer(SimdValue a, unsigned bits);  ///< towards zero; the value must fit
/// Converts a signed integer to the floating-point type `like`.
SimdValue to_floating(SimdValue a, llvm::Type* like);
/// Returns 2^k for a floating-point integer k in the range of normal exponents.
SimdValue power_of_two(SimdValue k);
/// Returns coefficients[0] + x * (coefficients[1] + x * …).
SimdValue polynomial(SimdValue x, std::initializer_list<double> coefficients);

}  // namespace codegen::math
