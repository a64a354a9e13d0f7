#include "frontend/check/types/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <tuple>

#include "frontend/check/types/big_unsigned.h"

namespace frontend::check {
namespace {

/// Of a floating type: bits of the significand, exponent of the smallest subnormal, largest finite value.
struct Format {
  int precision, lowest;
  double largest;
};

Format format_of(dlvm::ElementType type) {
  if (type == dlvm::ElementType::f16) return {11, -24, 65504.0};
  if (type == dlvm::ElementType::bf16) return {8, -133, std::ldexp(255.0, 120)};
  if (type == dlvm::ElementType::f32)
    return {24, -149, static_cast<double>(std::numeric_limits<float>::max())};
  return {53, -1074, std::numeric_limits<double>::max()};
}

double to_double(const BigUnsigned& a) {
  double value = 0;
  for (std::size_t i = a.size(); i-- > 0;) value = value * 4294967296.0 + a[i];
  return value;
}

}  // namespace

Number::Number(std::int64_t value)
    : negative_(value < 0),
      numerator_(big_unsigned::from(value < 0 ? 0 - static_cast<std::uint64_t>(value)
                                              : static_cast<std::uint64_t>(value))) {}

std::optional<Number> Number::make(bool negative, BigUnsigned numerator, BigUnsigned denominator) {
  const BigUnsigned divisor = big_unsigned::greatest_common_divisor(numerator, denominator);
  if (divisor.size() != 1 || divisor[0] != 1) {
    numerator = big_unsigned::divide(numerator, divisor).first;
    denominator = big_unsigned::divide(denominator, divisor).first;
  }
  if (big_unsigned::bits(numerator) > bit_limit || big_unsigned::bits(denominator) > bit_limit)
    return std::nullopt;
  Number result;
  result.negative_ = negative && !numerator.empty();
  result.numerator_ = std::move(numerator);
  result.denominator_ = std::move(denominator);
  return result;
}

std::optional<Number> Number::parse(std::string_view literal) {
  constexpr std::size_t max_digits = 4000;
  constexpr std::int64_t max_exponent = 4000;
  const std::size_t e = std::min(literal.find_first_of("eE"), literal.size());
  std::string digits(literal.substr(0, e));
  std::int64_t exponent = 0;
  if (e < literal.size()) {
    std::string_view written = literal.substr(e + 1);
    if (written.starts_with('+')) written.remove_prefix(1);
    const auto read = std::from_chars(written.data(), written.data() + written.size(), exponent);
    if (read.ec != std::errc()) exponent = written.starts_with('-') ? -2 * max_exponent : 2 * max_exponent;
  }
  if (const std::size_t dot = digits.find('.'); dot != std::string::npos) {
    if (digits.size() > max_digits) return std::nullopt;
    exponent -= static_cast<std::int64_t>(digits.size() - dot - 1);
    digits.erase(dot, 1);
  }
  digits.erase(0, digits.find_first_not_of('0'));
  if (digits.empty()) return Number(0);
  if (digits.size() > max_digits || exponent > max_exponent) return std::nullopt;
  if (exponent < -max_exponent) return exponent < -3 * max_exponent ? std::optional(Number(0)) : std::nullopt;
  const BigUnsigned scale = big_unsigned::power({10}, static_cast<std::uint64_t>(std::abs(exponent)));
  BigUnsigned numerator = big_unsigned::parse(digits);
  if (exponent >= 0) return make(false, big_unsigned::multiply(numerator, scale), {1});
  return make(false, std::move(numerator), scale);
}

std::optional<std::int64_t> Number::integer() const {
  if (!is_integer() || numerator_.size() > 2) return std::nullopt;
  std::uint64_t magnitude = 0;
  for (std::size_t i = numerator_.size(); i-- > 0;) magnitude = (magnitude << 32) | numerator_[i];
  constexpr std::uint64_t half = std::uint64_t{1} << 63;
  if (magnitude > half || (magnitude == half && !negative_)) return std::nullopt;
  return static_cast<std::int64_t>(negative_ ? 0 - magnitude : magnitude);
}

Number Number::operator-() const {
  Number result = *this;
  result.negative_ = !negative_ && !numerator_.empty();
  return result;
}

std::optional<Number> operator+(const Number& a, const Number& b) {
  BigUnsigned left = big_unsigned::multiply(a.numerator_, b.denominator_);
  BigUnsigned right = big_unsigned::multiply(b.numerator_, a.denominator_);
  BigUnsigned denominator = big_unsigned::multiply(a.denominator_, b.denominator_);
  if (a.negative_ == b.negative_)
    return Number::make(a.negative_, big_unsigned::add(left, right), std::move(denominator));
  if (big_unsigned::compare(left, right) >= 0)
    return Number::make(a.negative_, big_unsigned::subtract(left, right), std::move(denominator));
  return Number::make(b.negative_, big_unsigned::subtract(right, left), std::move(denominator));
}

std::optional<Number> operator*(const Number& a, const Number& b) {
  return Number::make(a.negative_ != b.negative_, big_unsigned::multiply(a.numerator_, b.numerator_),
                      big_unsigned::multiply(a.denominator_, b.denominator_));
}

std::optional<Number> operator/(const Number& a, const Number& b) {
  if (b.is_zero()) return std::nullopt;
  return Number::make(a.negative_ != b.negative_, big_unsigned::multiply(a.numerator_, b.denominator_),
                      big_unsigned::multiply(a.denominator_, b.numerator_));
}

// A power of what is in lowest terms is in lowest terms. A number of n bits to the power e has more than
// (n - 1) * e bits, so what is too long is known before it is computed.
std::optional<Number> Number::power(const Number& a, std::int64_t b) {
  if (a.is_zero() && b < 0) return std::nullopt;
  const auto exponent = b < 0 ? 0 - static_cast<std::uint64_t>(b) : static_cast<std::uint64_t>(b);
  for (const BigUnsigned* part : {&a.numerator_, &a.denominator_})
    if (const std::size_t bits = big_unsigned::bits(*part); bits > 1 && exponent > bit_limit / (bits - 1))
      return std::nullopt;
  BigUnsigned numerator = big_unsigned::power(a.numerator_, exponent);
  BigUnsigned denominator = big_unsigned::power(a.denominator_, exponent);
  if (b < 0) std::swap(numerator, denominator);
  return make(a.negative_ && exponent % 2 == 1, std::move(numerator), std::move(denominator));
}

Number Number::floor() const {
  auto [quotient, rest] = big_unsigned::divide(numerator_, denominator_);
  if (negative_ && !rest.empty()) quotient = big_unsigned::add(quotient, {1});
  return *make(negative_, std::move(quotient), {1});
}

std::strong_ordering operator<=>(const Number& a, const Number& b) {
  if (a.negative_ != b.negative_) return b.negative_ <=> a.negative_;
  const int order = big_unsigned::compare(big_unsigned::multiply(a.numerator_, b.denominator_),
                                          big_unsigned::multiply(b.numerator_, a.denominator_));
  return (a.negative_ ? -order : order) <=> 0;
}

// The quotient is taken with `precision` bits (fewer where the result is subnormal), then rounded by the
// remainder.
std::optional<double> Number::nearest(dlvm::ElementType type) const {
  if (is_zero()) return 0.0;
  const Format format = format_of(type);
  const auto magnitude =
      static_cast<int>(big_unsigned::bits(numerator_)) - static_cast<int>(big_unsigned::bits(denominator_));
  const auto quotient = [&](int shift) {
    return big_unsigned::divide(
        shift > 0 ? big_unsigned::shift_left(numerator_, static_cast<std::size_t>(shift)) : numerator_,
        shift < 0 ? big_unsigned::shift_left(denominator_, static_cast<std::size_t>(-shift)) : denominator_);
  };
  int shift = std::min(format.precision - magnitude, -format.lowest);
  auto [digits, rest] = quotient(shift);
  if (static_cast<int>(big_unsigned::bits(digits)) > format.precision)
    std::tie(digits, rest) = quotient(--shift);
  const BigUnsigned divisor =
      shift < 0 ? big_unsigned::shift_left(denominator_, static_cast<std::size_t>(-shift)) : denominator_;
  const int half = big_unsigned::compare(big_unsigned::shift_left(rest, 1), divisor);
  if (half > 0 || (half == 0 && !digits.empty() && digits[0] % 2 == 1))
    digits = big_unsigned::add(digits, {1});
  const double value = std::ldexp(to_double(digits), -shift);
  if (!(value <= format.largest)) return std::nullopt;
  return negative_ ? -value : value;
}

bool Number::fits(dlvm::ElementType type) const {
  if (dlvm::is_floating(type)) return nearest(type).has_value();
  if (dlvm::is_boolean(type)) return *this == Number(0) || *this == Number(1);
  const int bits = 8 * dlvm::info(type).bytes;
  if (!dlvm::is_signed(type))
    return is_integer() && !negative_ && big_unsigned::bits(numerator_) <= static_cast<std::size_t>(bits);
  const auto value = integer();
  if (!value) return false;
  const std::int64_t largest = std::numeric_limits<std::int64_t>::max() >> (64 - bits);
  return *value <= largest && *value >= -largest - 1;
}

void Number::store(dlvm::Tensor& tensor, std::size_t i) const {
  if (dlvm::is_floating(tensor.element()))
    tensor.set(i, nearest(tensor.element()).value_or(0));
  else
    tensor.set(i, integer().value_or(0));
}

std::string Number::text() const {
  constexpr std::size_t moderate = 128;
  if (is_integer() && big_unsigned::bits(numerator_) <= moderate)
    return (negative_ ? "-" : "") + big_unsigned::text(numerator_);
  if (const auto value = nearest(dlvm::ElementType::f64)) return fmt::format("{:g}", *value);
  return negative_ ? "a number below -1.8e308" : "a number above 1.8e308";
}

}  // namespace frontend::check
