// Exact numbers: what a literal means before it has a type, and what arithmetic on literals gives.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dlvm/ir/element_type.h"
#include "dlvm/ir/tensor.h"
#include "frontend/check/types/big_unsigned.h"

namespace frontend::check {

using big_unsigned::BigUnsigned;

/// A rational number in lowest terms. Arithmetic is exact and bounded: what would need more than
/// `bit_limit` bits has no result.
class Number {
 public:
  static constexpr std::size_t bit_limit = 16384;

  Number() : Number(0) {}
  Number(std::int64_t value);  // NOLINT: an integer is a number
  /// Reads `3`, `0.5` or `1e-4`; returns nothing if the literal has more digits, or a larger exponent, than
  /// the limit allows.
  static std::optional<Number> parse(std::string_view literal);

  bool is_zero() const { return numerator_.empty(); }
  bool is_negative() const { return negative_; }
  bool is_integer() const { return denominator_.size() == 1 && denominator_[0] == 1; }
  /// Returns the number of 32-bit digits of numerator and denominator.
  std::size_t length() const { return numerator_.size() + denominator_.size(); }
  /// Returns the value if it is an integer of 64 bits.
  std::optional<std::int64_t> integer() const;

  Number operator-() const;
  friend std::optional<Number> operator+(const Number& a, const Number& b);
  friend std::optional<Number> operator-(const Number& a, const Number& b) { return a + -b; }
  friend std::optional<Number> operator*(const Number& a, const Number& b);
  /// Returns nothing if b is 0.
  friend std::optional<Number> operator/(const Number& a, const Number& b);
  /// Returns a^b for an integer b; nothing for 0 to a negative power, or if the result is too long, which is
  /// found out at no cost.
  static std::optional<Number> power(const Number& a, std::int64_t b);
  Number floor() const;
  friend std::strong_ordering operator<=>(const Number& a, const Number& b);
  friend bool operator==(const Number& a, const Number& b) { return (a <=> b) == 0; }

  /// Returns the value rounded once, half to even, to a floating type; nothing beyond its largest finite
  /// value.
  std::optional<double> nearest(dlvm::ElementType type) const;
  /// Returns whether the type holds the value: an integer in range, a finite floating value, 0 or 1 as bool.
  bool fits(dlvm::ElementType type) const;
  /// Sets element `i` of the tensor; the number must fit its type.
  void store(dlvm::Tensor& tensor, std::size_t i) const;

  /// Returns the number as a person writes it: all digits of an integer of moderate size, else rounded to
  /// six.
  std::string text() const;

 private:
  static std::optional<Number> make(bool negative, BigUnsigned numerator, BigUnsigned denominator);

  bool negative_ = false;
  BigUnsigned numerator_, denominator_{1};
};

}  // namespace frontend::check
