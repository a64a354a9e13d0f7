#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>

/// The binary operations on two numbers. The real form computes in float64. The integer form is given
/// int64_t, or uint64_t for u64; it wraps modulo 2^64, and the caller wraps the result to the element type.
namespace dlvm::evaluation {

template <std::integral I>
constexpr I wrapped(std::uint64_t value) {
  return static_cast<I>(value);
}

struct Add {
  double operator()(double x, double y) const { return x + y; }
  template <std::integral I>
  I operator()(I x, I y) const {
    return wrapped<I>(static_cast<std::uint64_t>(x) + static_cast<std::uint64_t>(y));
  }
};

struct Subtract {
  double operator()(double x, double y) const { return x - y; }
  template <std::integral I>
  I operator()(I x, I y) const {
    return wrapped<I>(static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y));
  }
};

struct Multiply {
  double operator()(double x, double y) const { return x * y; }
  template <std::integral I>
  I operator()(I x, I y) const {
    return wrapped<I>(static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y));
  }
};

/// NaN where either is NaN; -0 is below +0.
struct Min {
  double operator()(double x, double y) const {
    if (std::isnan(x) || std::isnan(y)) return std::numeric_limits<double>::quiet_NaN();
    if (x == y) return std::signbit(x) ? x : y;
    return x < y ? x : y;
  }
  template <std::integral I>
  I operator()(I x, I y) const {
    return x < y ? x : y;
  }
};

struct Max {
  double operator()(double x, double y) const {
    if (std::isnan(x) || std::isnan(y)) return std::numeric_limits<double>::quiet_NaN();
    if (x == y) return std::signbit(x) ? y : x;
    return x > y ? x : y;
  }
  template <std::integral I>
  I operator()(I x, I y) const {
    return x > y ? x : y;
  }
};

/// Integers divided by zero give 0, and the least integer divided by -1 wraps to itself.
struct TruncateDivide {
  double operator()(double x, double y) const { return std::trunc(x / y); }
  template <std::integral I>
  I operator()(I x, I y) const {
    if (y == 0) return 0;
    if constexpr (std::signed_integral<I>)
      if (y == -1) return Subtract()(I{0}, x);
    return x / y;
  }
};

/// The greatest whole number not above the quotient before rounding: where the rounded quotient is whole, x /
/// y may be just below it. (1 / 0.1 is 10 when rounded, but 0.1 is a little more than a tenth: the result
/// is 9.)
struct FloorDivide {
  double operator()(double x, double y) const {
    const double quotient = x / y, whole = std::floor(quotient);
    if (whole != quotient || !(std::fabs(quotient) < 0x1p53)) return whole;
    const double left = quotient == 0 ? x : std::fma(-quotient, y, x);
    return (left < 0 && y > 0) || (left > 0 && y < 0) ? whole - 1 : whole;
  }
  template <std::integral I>
  I operator()(I x, I y) const {
    const I quotient = TruncateDivide()(x, y);
    if (y == 0 || y == static_cast<I>(-1) || x % y == 0) return quotient;
    return (x < 0) != (y < 0) ? quotient - 1 : quotient;
  }
};

/// x - y * floor(x / y) without rounding, so with the sign of y; of integers by zero 0. As in C's fmod, x by
/// an infinity of its own sign is x; of the other sign it is that infinity.
struct Modulo {
  double operator()(double x, double y) const {
    const double remainder = std::fmod(x, y);
    if (remainder == 0) return std::copysign(0.0, y);
    return (remainder < 0) != (y < 0) ? remainder + y : remainder;
  }
  template <std::integral I>
  I operator()(I x, I y) const {
    return y == 0 ? I{0} : Subtract()(x, Multiply()(y, FloorDivide()(x, y)));
  }
};

/// As C's pow: x^0 and 1^y are 1 also of NaN; a negative x by a non-integer is NaN. Integers: by repeated
/// multiplication, wrapping; a negative exponent gives the reciprocal towards zero, and 0 of 0.
struct Power {
  double operator()(double x, double y) const { return std::pow(x, y); }
  template <std::integral I>
  I operator()(I x, I y) const {
    if (y < 0) {
      if (x == 1) return 1;
      if (x == static_cast<I>(-1)) return y % 2 == 0 ? 1 : x;
      return 0;
    }
    I result = 1;
    for (; y > 0; y /= 2, x = Multiply()(x, x))
      if (y % 2 != 0) result = Multiply()(result, x);
    return result;
  }
};

struct And {
  std::int64_t operator()(std::int64_t x, std::int64_t y) const { return x & y; }
};
struct Or {
  std::int64_t operator()(std::int64_t x, std::int64_t y) const { return x | y; }
};

}  // namespace dlvm::evaluation
