#include "dlvm/ir/elements.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "dlvm/interpret/sorting.h"
#include "tests/dlvm/interpret/build.h"

using namespace test;
using namespace dlvm::elements;
using Extents = std::vector<std::int64_t>;

namespace {

/// The numbers 0, 1, 2, … in that shape.
Tensor counted(const Extents& extents) {
  Tensor result(ElementType::i16, extents);
  for (std::size_t i = 0; i < result.size(); ++i) result.set(i, static_cast<std::int64_t>(i));
  return result;
}

}  // namespace

TEST_CASE("strides and positions are row-major") {
  CHECK(element_count({2, 3, 4}) == 24);
  CHECK(element_count({}) == 1);
  CHECK(element_count({3, 0}) == 0);
  CHECK(strides_of({2, 3, 4}) == Extents{12, 4, 1});
  CHECK(strides_of({}).empty());
  CHECK(position({2, 3, 4}, 23) == "[1, 2, 3]");
  CHECK(position({2, 3, 4}, 6) == "[0, 1, 2]");
  CHECK(position({}, 0) == "[]");
}

TEST_CASE("an integer beyond 53 bits is rounded to odd, so that a second rounding is as if done once") {
  constexpr std::int64_t odd = (std::int64_t{1} << 53) + 1;
  CHECK(to_odd(std::int64_t{-7}) == -7);
  CHECK(to_odd((std::int64_t{1} << 53) - 1) == 0x1p53 - 1);
  CHECK(to_odd(std::int64_t{1} << 60) == 0x1p60);
  CHECK(to_odd(odd) == 0x1p53 + 2);
  CHECK(to_odd(-odd) == -0x1p53 - 2);
  CHECK(to_odd(odd + 2) == 0x1p53 + 2);
  CHECK(to_odd(std::uint64_t{UINT64_MAX}) == std::nextafter(0x1p64, 0));
  CHECK(to_odd(std::int64_t{INT64_MIN}) == -0x1p63);
  // Between two floats, a little above the middle: by way of the nearest double it would become the lower
  // one.
  Tensor above = Tensor::scalar(ElementType::i64, (std::int64_t{1} << 60) + (std::int64_t{1} << 36) + 1);
  CHECK(converted(above, ElementType::f32).real(0) == 0x1p60 + 0x1p37);
  CHECK(converted(above, ElementType::f64).real(0) == 0x1p60 + 0x1p36);
  const Tensor large = Tensor::scalar(ElementType::u64, std::int64_t{-1});
  CHECK(converted(large, ElementType::f64).real(0) == 0x1p64);
  CHECK(converted(large, ElementType::f32).real(0) == 0x1p64);
  CHECK(converted(large, ElementType::i32).integer(0) == -1);
  CHECK(converted(large, ElementType::boolean).integer(0) == 1);
  CHECK(converted(test::f32({}, {-2.7}), ElementType::i8).integer(0) == -2);
}

TEST_CASE("boxes of elements are copied between places with strides of their own") {
  for (const ElementType element :
       {ElementType::i8, ElementType::f16, ElementType::f32, ElementType::f64, ElementType::u64}) {
    const Tensor from = converted(counted({3, 4}), element);
    Tensor to(element, {2, 3});
    copy(from, {1, {1, 4}}, to, {0, {3, 1}}, {2, 3});  // the second and third column
    CHECK(values(to) == std::vector<double>{1, 5, 9, 2, 6, 10});
    copy(from, {11, {}}, to, {4, {}}, {});
    CHECK(values(to) == std::vector<double>{1, 5, 9, 2, 11, 10});
    copy(from, {0, {1, 1}}, to, {0, {1, 1}}, {2, 0});
    CHECK(values(to) == std::vector<double>{1, 5, 9, 2, 11, 10});
  }
}

TEST_CASE("axes of one element stretch, and missing ones are added in front") {
  CHECK(stretches({3}, {2, 3}));
  CHECK(stretches({1, 3}, {2, 3}));
  CHECK(stretches({2, 1}, {2, 3}));
  CHECK(stretches({}, {2, 3}));
  CHECK_FALSE(stretches({2}, {2, 3}));
  CHECK_FALSE(stretches({3, 1}, {2, 3}));
  CHECK_FALSE(stretches({1, 2, 3}, {2, 3}));
  CHECK(stretched(counted({3}), {2, 3}) == tensor(ElementType::i16, {2, 3}, {0, 1, 2, 0, 1, 2}));
}

TEST_CASE("a reduction leaves each element the place of those axes that stay") {
  using Places = std::vector<std::size_t>;
  CHECK(reduced_positions({2, 3}, {1}) == Places{0, 0, 0, 1, 1, 1});
  CHECK(reduced_positions({2, 3}, {0}) == Places{0, 1, 2, 0, 1, 2});
  CHECK(reduced_positions({2, 2, 2}, {1}) == Places{0, 1, 0, 1, 2, 3, 2, 3});
  CHECK(reduced_positions({2, 2, 2}, {0, 2}) == Places{0, 0, 1, 1, 0, 0, 1, 1});
  CHECK(reduced_positions({2}, {}) == Places{0, 1});
  CHECK(reduced_positions({2, 2}, {0, 1}) == Places{0, 0, 0, 0});
}

TEST_CASE("sorted elements keep the order of equal ones, and NaN is above all numbers") {
  using Places = std::vector<std::size_t>;
  const double NaN = std::numeric_limits<double>::quiet_NaN();
  const Tensor x = test::f32({6}, {2, NaN, 1, 2, NaN, -1});
  CHECK(sorted(x, {0, 1, 2, 3, 4, 5}, false) == Places{5, 2, 0, 3, 1, 4});
  CHECK(sorted(x, {0, 1, 2, 3, 4, 5}, true) == Places{1, 4, 0, 3, 2, 5});
  CHECK(sorted(x, {3, 2, 0}, false) == Places{2, 3, 0});
  const Tensor bits = tensor(ElementType::i64, {2}, {-1, 1});
  CHECK(sorted(bits, {0, 1}, false) == Places{0, 1});
  Tensor large(ElementType::u64, {2});
  large.set(0, std::int64_t{-1});
  large.set(1, std::int64_t{1});
  CHECK(sorted(large, {0, 1}, false) == Places{1, 0});
}

TEST_CASE("the integer zero is the floating zero without a sign") {
  for (const ElementType to : {ElementType::f16, ElementType::bf16, ElementType::f32, ElementType::f64}) {
    const Tensor zero = converted(Tensor(ElementType::i64, {1}), to);
    CHECK(zero.real(0) == 0);
    CHECK_FALSE(std::signbit(zero.real(0)));
  }
}
