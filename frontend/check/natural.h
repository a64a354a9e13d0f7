// Arithmetic on natural numbers of any size, for exact literals.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace frontend::check::natural {

using Natural = std::vector<std::uint32_t>;

std::size_t bits(const Natural& a);
int compare(const Natural& a, const Natural& b);
Natural add(const Natural& a, const Natural& b);
Natural subtract(const Natural& a, const Natural& b);  ///< a >= b
Natural multiply(const Natural& a, const Natural& b);
Natural shift_left(const Natural& a, std::size_t by);
/// Quotient and remainder; b is not 0.
std::pair<Natural, Natural> divide(const Natural& a, const Natural& b);
Natural greatest_common_divisor(Natural a, Natural b);
Natural from(std::uint64_t value);
Natural power(Natural base, std::uint64_t exponent);
Natural parse(const std::string& digits);
std::string text(Natural a);

}  // namespace frontend::check::natural
