// Bounds are as narrow as they can be; that no value leaves them is for random functions to show.
#include "dlvm/analysis/integer_bounds.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace dlvm;

namespace {

const Extent N = Extent::dimension("N"), M = Extent::dimension("M"), K = Extent::dimension("K");
const IntegerBounds n = IntegerBounds::exactly(N), m = IntegerBounds::exactly(M);

IntegerBounds number(std::int64_t value) { return IntegerBounds::exactly(value); }
IntegerBounds between(const Extent& lower, const Extent& upper) {
  return {lower, upper, IntegerBounds::exactly(lower).least, IntegerBounds::exactly(upper).most};
}
/// From `least` to `most`, without extents.
IntegerBounds numbers(std::int64_t least, std::int64_t most) {
  return {std::nullopt, std::nullopt, least, most};
}

/// "lower upto upper" of the extents; a bound that is not known is empty.
std::string extents(const IntegerBounds& bounds) {
  const auto written = [](const std::optional<Extent>& bound) { return bound ? bound->text() : ""; };
  return written(bounds.lower) + " upto " + written(bounds.upper);
}
/// "least upto most" of the numbers.
std::string range(const IntegerBounds& bounds) {
  return fmt::format("{} upto {}", static_cast<std::int64_t>(bounds.least),
                     static_cast<std::int64_t>(bounds.most));
}

}  // namespace

TEST_CASE("bounds of types and of extents") {
  CHECK(extents(IntegerBounds::of_type(ElementType::boolean)) == "0 upto 1");
  CHECK(range(IntegerBounds::of_type(ElementType::boolean)) == "0 upto 1");
  CHECK(extents(IntegerBounds::of_type(ElementType::u8)) == "0 upto ");
  CHECK(range(IntegerBounds::of_type(ElementType::u8)) == "0 upto 255");
  CHECK(extents(IntegerBounds::of_type(ElementType::i8)) == " upto ");
  CHECK(range(IntegerBounds::of_type(ElementType::i8)) == "-128 upto 127");
  CHECK(range(number(-7)) == "-7 upto -7");
  CHECK(range(IntegerBounds::exactly(3 - N)) == fmt::format("{} upto 3", 3 - max_dimension));
  CHECK(range(IntegerBounds::exactly(Extent::floor_divide(N + 1, M))) ==
        fmt::format("0 upto {}", max_dimension + 1));
  CHECK(n.exact() == N);
  CHECK_FALSE(between(1, N).exact());
}

TEST_CASE("integers that may wrap keep the bound on the side that they do not cross") {
  const IntegerBounds wide = between(2, N);
  CHECK(extents(wide.wrapped_to(ElementType::i32)) == "2 upto N");
  CHECK(range(wide.wrapped_to(ElementType::i32)) == fmt::format("2 upto {}", max_dimension));
  CHECK(extents(wide.wrapped_to(ElementType::i8)) == " upto N");
  CHECK(range(wide.wrapped_to(ElementType::i8)) == "-128 upto 127");
  CHECK(extents(wide.wrapped_to(ElementType::u8)) == "0 upto N");
  CHECK(extents(IntegerBounds::exactly(1 - N).wrapped_to(ElementType::i8)) == "-N + 1 upto ");
  CHECK(extents(between(-1, 1).wrapped_to(ElementType::u8)) == "0 upto ");
  CHECK(range(between(-1, 1).wrapped_to(ElementType::u8)) == "0 upto 255");
  CHECK(range(between(0, 255).wrapped_to(ElementType::u8)) == "0 upto 255");
  CHECK(range(IntegerBounds::exactly(1 - N).wrapped_to(ElementType::i8)) == "-128 upto 127");
  CHECK(extents(between(3, 127).wrapped_to(ElementType::i8)) == "3 upto 127");
  CHECK(extents(between(-128, 3).wrapped_to(ElementType::i8)) == "-128 upto 3");
  CHECK_FALSE(numbers(0, 128).fit(ElementType::i8));
  CHECK_FALSE(numbers(-129, 0).fit(ElementType::i8));
  CHECK(numbers(-128, 127).fit(ElementType::i8));
}

TEST_CASE("extents without what is subtracted") {
  CHECK(without_negative_terms(N - M).text() == "N");
  CHECK(without_negative_terms(M - N + 2).text() == "M + 2");
  CHECK(without_negative_terms(-1 - N).text() == "0");
  CHECK(without_negative_terms(N * M).text() == "M*N");
  CHECK(without_negative_terms(Extent::floor_divide(N, M) * 2 - 1).text() == "2*floor(N/M)");
  CHECK(without_negative_terms(Extent::floor_divide(M - N, 2) + 1).text() == "floor((M + N)/2) + 1");
  CHECK_FALSE(without_negative_terms(Extent::floor_divide(M - N, K)).valid());
}

TEST_CASE("bounds of sums, differences and products") {
  CHECK(extents(between(1, N) + between(2, M)) == "3 upto M + N");
  CHECK(range(between(1, 4) + between(2, 7)) == "3 upto 11");
  CHECK(extents(-between(1, N)) == "-N upto -1");
  CHECK(range(-between(1, 4)) == "-4 upto -1");
  CHECK(extents(between(1, N) - between(2, M)) == "-M + 1 upto N - 2");
  CHECK(range(between(1, 4) - between(2, 7)) == "-6 upto 2");
  CHECK(extents(n * m) == "M*N upto M*N");
  CHECK(extents(number(3) * between(1, N)) == "3 upto 3*N");
  CHECK(extents(between(1, N) * number(-3)) == "-3*N upto -3");
  CHECK(range(between(1, 4) * number(-3)) == "-12 upto -3");
  CHECK(extents(between(1, N) * between(2, M)) == "0 upto M*N");
  CHECK(extents(between(0, N) * between(0, M)) == "0 upto M*N");
  CHECK(extents(between(-1, N) * between(2, M)) == " upto ");
  CHECK(extents(between(2, M) * between(-1, N)) == " upto ");
  CHECK(range(between(-2, 3) * between(-5, 7)) == "-15 upto 21");
}

TEST_CASE("bounds of quotients and of remainders") {
  CHECK(extents(floor_divided(between(3, N), number(2))) == "1 upto floor(N/2)");
  CHECK(extents(floor_divided(between(3, N), number(1))) == "3 upto N");
  CHECK(extents(floor_divided(n, m)) == "0 upto floor(N/M)");
  CHECK(extents(floor_divided(n, between(0, M))) == "0 upto N");
  CHECK(extents(floor_divided(n, between(-1, M))) == " upto ");
  CHECK(extents(floor_divided(between(-1, N), between(0, M))) == " upto ");
  CHECK(range(floor_divided(between(0, 9), between(0, 4))) == "0 upto 9");
  CHECK(range(floor_divided(between(2, 9), between(1, 4))) == "0 upto 9");
  CHECK(range(floor_divided(between(-9, -2), between(0, 4))) == "-9 upto 0");
  CHECK(range(floor_divided(between(-9, 5), between(-1, 4))) == "-10 upto 10");
  CHECK(extents(modulo(between(-1, N), between(1, M))) == "0 upto M - 1");
  CHECK(extents(modulo(between(-1, N), m)) == "0 upto M");
  CHECK(extents(modulo(between(0, 3), between(1, M + 5))) == "0 upto 3");
  CHECK(extents(modulo(between(-1, 3), between(-1, M))) == " upto ");
  CHECK(range(modulo(between(-9, 9), between(-3, 5))) == "-3 upto 5");
  CHECK(range(modulo(between(-9, 9), between(-3, -2))) == "-3 upto 0");
  CHECK(range(modulo(between(-9, 9), between(2, 5))) == "0 upto 5");
}

TEST_CASE("bounds of the smaller, of the larger and of either of two integers") {
  const IntegerBounds a = between(1, N), b = between(3, N + M), c = between(2, M);
  CHECK(extents(minimum(a, b)) == "1 upto N");
  CHECK(extents(minimum(b, a)) == "1 upto N");
  CHECK(range(minimum(between(1, 5), between(3, 4))) == "1 upto 4");
  CHECK(extents(maximum(a, b)) == "3 upto M + N");
  CHECK(extents(maximum(b, a)) == "3 upto M + N");
  CHECK(range(maximum(between(1, 5), between(3, 4))) == "3 upto 5");
  CHECK(extents(either(a, b)) == "1 upto M + N");
  CHECK(extents(either(b, a)) == "1 upto M + N");
  CHECK(range(either(between(1, 5), between(3, 9))) == "1 upto 9");
  CHECK(extents(either(a, c)) == "1 upto M + N");
  CHECK(extents(either(between(N, N + 3), between(M - 2, 1 - M))) == "-2 upto N + 3");
  CHECK(extents(minimum(numbers(0, 5), a)) == " upto N");
  CHECK(extents(minimum(a, numbers(0, 5))) == " upto N");
  CHECK(extents(maximum(numbers(0, 5), a)) == "1 upto ");
  CHECK(extents(maximum(a, numbers(0, 5))) == "1 upto ");
  CHECK(extents(either(a, numbers(0, 5))) == " upto ");
  CHECK(extents(either(numbers(0, 5), a)) == " upto ");
}
