#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "runtime/support/extent.h"
#include "runtime/support/float16.h"
#include "runtime/support/text.h"
#include "runtime/support/unpack.h"

using namespace runtime;

TEST_CASE("text is cut at the end of its buffer") {
  char buffer[8];
  Text text(buffer, sizeof buffer);
  text << "ab" << int64_t{-12} << "cdef";
  CHECK(std::string(buffer) == "ab-12cd");
  CHECK(text.remaining() == 0);
}

TEST_CASE("text writes every integer and hides control characters") {
  char buffer[64];
  Text(buffer, sizeof buffer) << std::numeric_limits<int64_t>::min() << ' '
                              << std::numeric_limits<int64_t>::max();
  CHECK(std::string(buffer) == "-9223372036854775808 9223372036854775807");
  Text(buffer, sizeof buffer).quoted("a\nb\x1b", 4);
  CHECK(std::string(buffer) == "a?b?");
}

TEST_CASE("a failure without an error struct goes nowhere") {
  Failure failure(nullptr, TEL_INDEX, "m::f");
  failure.text() << "text";
  CHECK(static_cast<int32_t>(failure) == TEL_INDEX);
}

TEST_CASE("extents are evaluated with checked arithmetic") {
  const int64_t dims[] = {7, INT64_MAX};
  const int64_t program[] = {extent_dimension,
                             0,
                             extent_constant,
                             2,
                             extent_floor_divide,
                             extent_constant,
                             -1,
                             extent_multiply,
                             extent_constant,
                             10,
                             extent_add,
                             extent_end};
  int64_t value = 0;
  CHECK(evaluate({program, 0}, dims, value));
  CHECK(value == 7);  // floor(7 / 2) * -1 + 10
  const int64_t large[] = {extent_dimension, 1, extent_constant, 2, extent_multiply, extent_end};
  CHECK(!evaluate({large, 0}, dims, value));
  const int64_t negative[] = {extent_constant, -7, extent_constant, 2, extent_floor_divide, extent_end};
  CHECK(evaluate({negative, 0}, dims, value));
  CHECK(value == -4);
  const int64_t by_zero[] = {extent_constant, 7, extent_constant, 0, extent_floor_divide, extent_end};
  CHECK(evaluate({by_zero, 0}, dims, value));
  CHECK(value == 0);
  const int64_t wraps[] = {extent_constant, INT64_MIN, extent_constant, -1, extent_floor_divide, extent_end};
  CHECK(!evaluate({wraps, 0}, dims, value));
}

TEST_CASE("an extent's dimensions are told from the constants and operations that look like them") {
  // 2 * dims[1] + 1, where 2 is also the number of extent_dimension
  const int64_t program[] = {
      extent_constant, extent_dimension, extent_dimension, 1, extent_multiply, extent_constant, 1,
      extent_add,      extent_end};
  CHECK(!mentions({program, 0}, 0));
  CHECK(mentions({program, 0}, 1));
  CHECK(!mentions({program, 0}, extent_multiply));
  CHECK(!mentions({nullptr, 1}, 1));
  ExtentReader reader({program, 0});
  ExtentStep step{};
  int64_t steps = 0;
  while (reader.next(step)) ++steps;
  CHECK(steps == 5);
  CHECK(!reader.next(step));
}

TEST_CASE("sizes are rounded up to 64") {
  int64_t total = 0;
  CHECK(add_aligned(total, 0));
  CHECK(total == 0);
  CHECK(add_aligned(total, 1));
  CHECK(add_aligned(total, 64));
  CHECK(total == 128);
  CHECK(!add_aligned(total, INT64_MAX - 63));
}

TEST_CASE("every 16-bit float is widened exactly and narrowed back") {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    const float value = float16_to_float(half);
    const float expected = static_cast<float>(std::bit_cast<_Float16>(half));
    CHECK((std::isnan(expected) ? std::isnan(value)
                                : std::bit_cast<uint32_t>(value) == std::bit_cast<uint32_t>(expected)));
    if (!std::isnan(value)) {
      CHECK(float_to_float16(value) == half);
      CHECK(double_to_float16(value) == half);
    } else {
      CHECK(std::isnan(float16_to_float(float_to_float16(value))));
    }
    const float wide = bfloat16_to_float(half);
    if (!std::isnan(wide)) CHECK(float_to_bfloat16(wide) == half);
    if (std::isnan(wide)) CHECK(std::isnan(bfloat16_to_float(float_to_bfloat16(wide))));
  }
}

TEST_CASE("narrowing rounds to nearest, ties to even") {
  uint32_t state = 1;
  for (int i = 0; i < 2000000; ++i) {
    state = state * 1664525u + 1013904223u;
    const float value = std::bit_cast<float>(state);
    if (std::isnan(value)) continue;
    REQUIRE(float_to_float16(value) == std::bit_cast<uint16_t>(static_cast<_Float16>(value)));
  }
  // Between two neighbours a and b: the middle goes to the even one, anything else to the nearer.
  for (uint32_t bits = 1; bits < 0x7f7f; ++bits) {
    const double a = bfloat16_to_float(static_cast<uint16_t>(bits));
    const double b = bfloat16_to_float(static_cast<uint16_t>(bits + 1));
    const double middle = (a + b) / 2;
    REQUIRE(double_to_bfloat16(middle) == (bits % 2 == 0 ? bits : bits + 1));
    REQUIRE(double_to_bfloat16(std::nextafter(middle, 0.0)) == bits);
    REQUIRE(double_to_bfloat16(-std::nextafter(middle, b)) == (0x8000 | (bits + 1)));
  }
  CHECK(double_to_float16(65519.99999999) == 0x7bff);
  CHECK(double_to_float16(65520) == 0x7c00);
  CHECK(double_to_float16(0x1p-25) == 0);
  CHECK(double_to_float16(std::nextafter(0x1p-25, 1.0)) == 1);
  CHECK(double_to_float16(0x1.002p0 + 0x1p-40) == 0x3c01);  // twice rounded it would be even
}

TEST_CASE("packed bytes are literals and copies of what is before, also of what they write themselves") {
  const std::string packed{0x32, 'a', 'b', 'c', 3, 0, 0x20, 'x', 'y'};
  char to[12];
  REQUIRE(unpack(packed.data(), 9, to, 11));
  CHECK(std::string(to, 11) == "abcabcabcxy");
  CHECK(!unpack(packed.data(), 9, to, 12));
  CHECK(!unpack(packed.data(), 9, to, 10));
  const std::string too_far{0x10, 'a', 2, 0};
  CHECK(!unpack(too_far.data(), 4, to, 12));
}
