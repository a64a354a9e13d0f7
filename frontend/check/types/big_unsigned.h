// Arithmetic on natural numbers of any size, for exact literals.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace frontend::check::big_unsigned {

/// 32-bit digits, the lowest first, no leading zeros.
using BigUnsigned = std::vector<std::uint32_t>;

std::size_t bits(const BigUnsigned& a);
int compare(const BigUnsigned& a, const BigUnsigned& b);
BigUnsigned add(const BigUnsigned& a, const BigUnsigned& b);
BigUnsigned subtract(const BigUnsigned& a, const BigUnsigned& b);  ///< a >= b
BigUnsigned multiply(const BigUnsigned& a, const BigUnsigned& b);
BigUnsigned shift_left(const BigUnsigned& a, std::size_t by);
/// Returns quotient and remainder. `b` must not be 0.
std::pair<BigUnsigned, BigUnsigned> divide(const BigUnsigned& a, const BigUnsigned& b);
BigUnsigned greatest_common_divisor(BigUnsigned a, BigUnsigned b);
BigUnsigned from(std::uint64_t value);
BigUnsigned power(BigUnsigned base, std::uint64_t exponent);
BigUnsigned parse(const std::string& digits);
std::string text(BigUnsigned a);

}  // namespace frontend::check::big_unsigned
