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
  const Agreement other = compare(std::span(&c, 1))[0];
  CHECK(other.why == "is f32 [2], not f32 [2 x 1]");
  CHECK_FALSE(other.agrees);
  CHECK(other.worst_ratio == inf);
  CHECK(other.disagreeing == 2);
  const auto wrong = compare_one(ElementType::i32, {1, 3, 5}, {1, 2, 4});
  CHECK(wrong.worst == 1);
  CHECK(wrong.worst_ratio == inf);
  CHECK(wrong.disagreeing == 2);
  CHECK(wrong.why == "[1] is 3, not 2");
}

TEST_CASE("agreement: the element that is farthest off is named by its place") {
  const std::vector<double> r{0, 0, 0, 0, 0, 1};
  std::vector<double> a = r;
  a[2] = 2e-5, a[4] = 3e-5, a[3] = 1e-5;
  const Comparison c{"y", f32({2, 3}, a), f32({2, 3}, r), tensor(ElementType::f64, {2, 3}, r)};
  const Agreement agreement = compare(std::span(&c, 1))[0];
  CHECK(agreement.worst == 4);
  CHECK(agreement.disagreeing == 2);
  CHECK(agreement.worst_ratio == doctest::Approx(3).epsilon(0.01));
  CHECK(agreement.why.starts_with("[1, 1] is "));
  CHECK(agreement.name == "y");
}

TEST_CASE("agreement: a thousandth of the largest result counts for all, and the tolerance may be wider") {
  const auto small = [](double large, double a, double factor) {
    const std::vector<Comparison> all{
        {"large", f32({}, {large}), f32({}, {large}), tensor(ElementType::f64, {}, {large})},
        {"small", f32({}, {a}), f32({}, {1e-4}), tensor(ElementType::f64, {}, {1e-4})}};
    return compare(all, factor)[1].agrees;
  };
  CHECK(small(1000, 1.05e-4, 1));
  CHECK_FALSE(small(1, 1.05e-4, 1));
  CHECK_FALSE(small(1000, 1.2e-4, 1));
  CHECK(small(1000, 1.2e-4, 3));
}
