#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "dlvm/ir/float16.h"
#include "dlvm/ir/tensor.h"

namespace dlvm {
namespace {

TEST_CASE("every 16-bit float survives the way to double and back") {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto b = static_cast<std::uint16_t>(bits);
    const double half = float16_to_double(b), brain = bfloat16_to_double(b);
    if (!std::isnan(half)) CHECK(float16_from(half) == b);
    if (!std::isnan(brain)) CHECK(bfloat16_from(brain) == b);
  }
  CHECK(std::isnan(float16_to_double(float16_from(std::nan("")))));
}

TEST_CASE("conversion to a 16-bit float rounds to nearest, ties to even, and overflows to infinity") {
  for (std::uint32_t bits = 0; bits < 0x7BFF; ++bits) {
    const double low = float16_to_double(static_cast<std::uint16_t>(bits));
    const double high = float16_to_double(static_cast<std::uint16_t>(bits + 1));
    const double middle = (low + high) / 2;
    CHECK(float16_from(middle) == bits + (bits & 1));
    CHECK(float16_from(std::nextafter(middle, 0)) == bits);
    CHECK(float16_from(std::nextafter(middle, high)) == bits + 1);
  }
  CHECK(float16_from(65519.99) == 0x7BFF);
  CHECK(float16_from(65520) == 0x7C00);
  CHECK(float16_from(-1e300) == 0xFC00);
  CHECK(float16_from(-0.0) == 0x8000);
  CHECK(bfloat16_from(1 + 0x1p-8) == 0x3F80);
  CHECK(bfloat16_from(1 + 3 * 0x1p-8) == 0x3F82);
  CHECK(bfloat16_from(0x1p-133) == 0x0001);
}

TEST_CASE("conversion to an integer goes towards zero and saturates; NaN gives 0") {
  const auto as = [](ElementType type, double value) { return Tensor::scalar(type, value).integer(0); };
  CHECK(as(ElementType::i8, -1.9) == -1);
  CHECK(as(ElementType::i8, 300.0) == 127);
  CHECK(as(ElementType::u8, -5.0) == 0);
  CHECK(as(ElementType::i64, 1e300) == std::numeric_limits<std::int64_t>::max());
  CHECK(as(ElementType::i32, std::nan("")) == 0);
  CHECK(as(ElementType::boolean, 0.5) == 1);
  CHECK(Tensor::scalar(ElementType::i8, std::int64_t{300}).integer(0) == 44);
}

}  // namespace
}  // namespace dlvm
