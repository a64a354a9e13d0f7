#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <random>

#include "runtime/support/libcalls.h"

namespace {

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// Numbers of all kinds: bit patterns, small integers and halves, neighbours in exponent, special ones.
template <typename F, typename Bits>
F draw(std::mt19937_64& random) {
  switch (random() % 5) {
    case 0:
      return std::bit_cast<F>(static_cast<Bits>(random()));
    case 1:
      return static_cast<F>(static_cast<int>(random() % 64) - 32) / 2;
    case 2:
      return std::ldexp(static_cast<F>(random() % 1000003), static_cast<int>(random() % 40) - 20);
    case 3:
      return std::numeric_limits<F>::denorm_min() * static_cast<F>(random() % 5);
    default: {
      const F special[] = {
          0, -F{0}, INFINITY, -INFINITY, NAN, std::numeric_limits<F>::max(), std::numeric_limits<F>::min(),
          1, -1};
      return special[random() % 9];
    }
  }
}

}  // namespace

TEST_CASE("library calls agree with libm, bit for bit") {
  std::mt19937_64 random(3);
  for (int i = 0; i < 300000; ++i) {
    const double x = draw<double, std::uint64_t>(random), y = draw<double, std::uint64_t>(random);
    const double z = random() % 4 == 0 ? -(x * y) : draw<double, std::uint64_t>(random);
    CAPTURE(x);
    CAPTURE(y);
    CAPTURE(z);
    REQUIRE(same(tel_libcall_floor(x), std::floor(x)));
    REQUIRE(same(tel_libcall_ceil(x), std::ceil(x)));
    REQUIRE(same(tel_libcall_trunc(x), std::trunc(x)));
    REQUIRE(same(tel_libcall_rint(x), std::rint(x)));
    REQUIRE(same(tel_libcall_round(x), std::round(x)));
    REQUIRE(same(tel_libcall_fmod(x, y), std::fmod(x, y)));
    REQUIRE(same(tel_libcall_fma(x, y, z), std::fma(x, y, z)));
  }
  for (int i = 0; i < 300000; ++i) {
    const float x = draw<float, std::uint32_t>(random), y = draw<float, std::uint32_t>(random);
    const float z = random() % 4 == 0 ? -(x * y) : draw<float, std::uint32_t>(random);
    CAPTURE(x);
    CAPTURE(y);
    CAPTURE(z);
    REQUIRE(same(tel_libcall_floorf(x), std::floor(x)));
    REQUIRE(same(tel_libcall_ceilf(x), std::ceil(x)));
    REQUIRE(same(tel_libcall_truncf(x), std::trunc(x)));
    REQUIRE(same(tel_libcall_rintf(x), std::rint(x)));
    REQUIRE(same(tel_libcall_roundf(x), std::round(x)));
    REQUIRE(same(tel_libcall_fmodf(x, y), std::fmod(x, y)));
    REQUIRE(same(tel_libcall_fmaf(x, y, z), std::fma(x, y, z)));
  }
}
