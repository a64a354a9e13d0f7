#include "frontend/check/types/big_unsigned.h"

#include <algorithm>
#include <bit>

namespace frontend::check::big_unsigned {
namespace {

void trim(BigUnsigned& a) {
  while (!a.empty() && a.back() == 0) a.pop_back();
}

/// a / divisor in place; the remainder.
std::uint32_t divide_by_digit(BigUnsigned& a, std::uint32_t divisor) {
  std::uint64_t rest = 0;
  for (std::size_t i = a.size(); i-- > 0;) {
    rest = (rest << 32) | a[i];
    a[i] = static_cast<std::uint32_t>(rest / divisor);
    rest %= divisor;
  }
  trim(a);
  return static_cast<std::uint32_t>(rest);
}

BigUnsigned shift_right(const BigUnsigned& a, std::size_t by) {
  const std::size_t words = by / 32, rest = by % 32;
  if (words >= a.size()) return {};
  BigUnsigned result(a.begin() + static_cast<std::ptrdiff_t>(words), a.end());
  for (std::size_t i = 0; i < result.size() && rest != 0; ++i) {
    const std::uint64_t high = i + 1 < result.size() ? result[i + 1] : 0;
    result[i] = static_cast<std::uint32_t>(((high << 32) | result[i]) >> rest);
  }
  trim(result);
  return result;
}

}  // namespace

std::size_t bits(const BigUnsigned& a) {
  return a.empty() ? 0 : 32 * (a.size() - 1) + static_cast<std::size_t>(std::bit_width(a.back()));
}

int compare(const BigUnsigned& a, const BigUnsigned& b) {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  for (std::size_t i = a.size(); i-- > 0;)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

BigUnsigned add(const BigUnsigned& a, const BigUnsigned& b) {
  BigUnsigned result(std::max(a.size(), b.size()) + 1);
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    carry += (i < a.size() ? a[i] : 0ULL) + (i < b.size() ? b[i] : 0ULL);
    result[i] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  trim(result);
  return result;
}

BigUnsigned subtract(const BigUnsigned& a, const BigUnsigned& b) {
  BigUnsigned result = a;
  std::int64_t borrow = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    std::int64_t digit = static_cast<std::int64_t>(a[i]) - (i < b.size() ? b[i] : 0) - borrow;
    borrow = digit < 0;
    result[i] = static_cast<std::uint32_t>(digit);
  }
  trim(result);
  return result;
}

BigUnsigned multiply(const BigUnsigned& a, const BigUnsigned& b) {
  BigUnsigned result(a.size() + b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < b.size() || carry != 0; ++j) {
      carry += result[i + j] + static_cast<std::uint64_t>(a[i]) * (j < b.size() ? b[j] : 0);
      result[i + j] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  trim(result);
  return result;
}

BigUnsigned shift_left(const BigUnsigned& a, std::size_t by) {
  if (a.empty()) return {};
  BigUnsigned result(by / 32, 0);
  const std::size_t rest = by % 32;
  std::uint64_t carry = 0;
  for (const std::uint32_t digit : a) {
    carry |= static_cast<std::uint64_t>(digit) << rest;
    result.push_back(static_cast<std::uint32_t>(carry));
    carry >>= 32;
  }
  result.push_back(static_cast<std::uint32_t>(carry));
  trim(result);
  return result;
}

// Long division, digit by digit (Knuth, The Art of Computer Programming 2, algorithm D): the divisor is
// shifted so that its top bit is set; then a quotient digit guessed from two digits is at most 2 too large.
std::pair<BigUnsigned, BigUnsigned> divide(const BigUnsigned& a, const BigUnsigned& b) {
  if (compare(a, b) < 0) return {{}, a};
  if (b.size() == 1) {
    BigUnsigned quotient = a;
    const std::uint32_t rest = divide_by_digit(quotient, b[0]);
    return {std::move(quotient), rest == 0 ? BigUnsigned{} : BigUnsigned{rest}};
  }
  const auto shift = static_cast<std::size_t>(std::countl_zero(b.back()));
  const BigUnsigned v = shift_left(b, shift);
  BigUnsigned u = shift_left(a, shift);
  u.resize(a.size() + 1);
  const std::size_t n = v.size(), m = u.size() - n;
  BigUnsigned quotient(m);
  for (std::size_t j = m; j-- > 0;) {
    const std::uint64_t top = (static_cast<std::uint64_t>(u[j + n]) << 32) | u[j + n - 1];
    std::uint64_t guess = top / v[n - 1], rest = top % v[n - 1];
    while (guess >> 32 != 0 || guess * v[n - 2] > ((rest << 32) | u[j + n - 2])) {
      --guess;
      rest += v[n - 1];
      if (rest >> 32 != 0) break;
    }
    std::int64_t borrow = 0;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < n; ++i) {
      carry += guess * v[i];
      const std::int64_t digit =
          static_cast<std::int64_t>(u[i + j]) - static_cast<std::int64_t>(carry & 0xFFFFFFFF) - borrow;
      u[i + j] = static_cast<std::uint32_t>(digit);
      borrow = digit < 0;
      carry >>= 32;
    }
    const std::int64_t last = static_cast<std::int64_t>(u[j + n]) - static_cast<std::int64_t>(carry) - borrow;
    u[j + n] = static_cast<std::uint32_t>(last);
    if (last < 0) {
      --guess;
      std::uint64_t up = 0;
      for (std::size_t i = 0; i < n; ++i) {
        up += static_cast<std::uint64_t>(u[i + j]) + v[i];
        u[i + j] = static_cast<std::uint32_t>(up);
        up >>= 32;
      }
      u[j + n] += static_cast<std::uint32_t>(up);
    }
    quotient[j] = static_cast<std::uint32_t>(guess);
  }
  trim(quotient);
  trim(u);
  return {std::move(quotient), shift_right(u, shift)};
}

BigUnsigned greatest_common_divisor(BigUnsigned a, BigUnsigned b) {
  while (!b.empty()) {
    BigUnsigned rest = divide(a, b).second;
    a = std::move(b);
    b = std::move(rest);
  }
  return a;
}

BigUnsigned from(std::uint64_t value) {
  BigUnsigned result{static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)};
  trim(result);
  return result;
}

BigUnsigned power(BigUnsigned base, std::uint64_t exponent) {
  BigUnsigned result{1};
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result = multiply(result, base);
    if (exponent > 1) base = multiply(base, base);
  }
  return result;
}

BigUnsigned parse(const std::string& digits) {
  BigUnsigned result;
  constexpr std::size_t at_once = 9;
  for (std::size_t i = 0; i < digits.size(); i += at_once) {
    const std::string piece = digits.substr(i, at_once);
    result = add(multiply(result, power({10}, piece.size())), from(std::stoull(piece)));
  }
  return result;
}

std::string text(BigUnsigned a) {
  if (a.empty()) return "0";
  std::string reversed;
  while (!a.empty()) reversed += static_cast<char>('0' + divide_by_digit(a, 10));
  return {reversed.rbegin(), reversed.rend()};
}

}  // namespace frontend::check::big_unsigned
