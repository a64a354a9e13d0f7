#include "dlvm/interpret/agreement.h"

#include <doctest/doctest.h>

#include <limits>

#include "tests/dlvm/interpret/build.h"

using namespace test;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity(),
                 NaN = std::numeric_limits<double>::quiet_NaN();

Agreement compare_one(ElementType element, const std::vector<double>& a, const std::vector<double>& r,
                      std::vector<double> u = {}) {
  if (u.empty()) u = r;
  const auto count = static_cast<std::int64_t>(a.size());
  const Comparison c{"y", tensor(element, {count}, a), tensor(element, {count}, r),
                     tensor(ElementType::f64, {count}, u)};
  return compare(std::span(&c, 1))[0];
}

}  // namespace

TEST_CASE("agreement: relative to the largest of the tensor") {
  CHECK(compare_one(ElementType::f32, {1, 1000.01}, {1, 1000}).agrees);
  CHECK(compare_one(ElementType::f32, {1.005, 1000}, {1, 1000}).agrees);
  const auto wrong = compare_one(ElementType::f32, {1.02, 1000}, {1, 1000});
  CHECK_FALSE(wrong.agrees);
  CHECK(wrong.worst == 0);
  CHECK(wrong.disagreeing == 1);
  CHECK_FALSE(compare_one(ElementType::f64, {1 + 1e-11}, {1}).agrees);
  CHECK(compare_one(ElementType::f16, {1.001}, {1}).agrees);
}

TEST_CASE("agreement: slack where rounding itself moved the result") {
  CHECK_FALSE(compare_one(ElementType::f32, {1.5}, {1}).agrees);
  CHECK(compare_one(ElementType::f32, {1.5}, {1}, {1.1}).agrees);
}

TEST_CASE("agreement: what is not finite") {
  CHECK(compare_one(ElementType::f32, {NaN, inf, -inf}, {NaN, inf, -inf}).agrees);
  CHECK_FALSE(compare_one(ElementType::f32, {1}, {NaN}).agrees);
  CHECK_FALSE(compare_one(ElementType::f32, {NaN}, {1}).agrees);
  CHECK_FALSE(compare_one(ElementType::f32, {inf}, {-inf}).agrees);
  CHECK(compare_one(ElementType::f16, {65504}, {inf}, {70000}).agrees);
  CHECK(compare_one(ElementType::f16, {inf}, {65504}, {70000}).agrees);
  CHECK_FALSE(compare_one(ElementType::f16, {inf}, {65504}, {65504}).agrees);
}

TEST_CASE("agreement: integers exactly, types and extents too") {
  CHECK(compare_one(ElementType::i32, {1, 2}, {1, 2}).agrees);
  CHECK_FALSE(compare_one(ElementType::i32, {1, 3}, {1, 2}).agrees);
  const Comparison c{"y", f32({2}, {1, 2}), f32({2, 1}, {1, 2}), f32({2, 1}, {1, 2})};
  CHECK(compare(std::span(&c, 1))[0].why == "is f32 [2], not f32 [2 x 1]");
}
