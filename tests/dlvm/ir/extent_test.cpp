#include <doctest/doctest.h>

#include <limits>
#include <random>

#include "dlvm/ir/extent.h"

namespace dlvm {
namespace {

const Extent N = Extent::dimension("N"), M = Extent::dimension("M"), K = Extent::dimension("K");

TEST_CASE("extents are canonical: equal polynomials compare equal and print alike") {
  CHECK(N + M == M + N);
  CHECK((N + 1) * (N - 1) == N * N - 1);
  CHECK((N - N).is(0));
  CHECK((Extent(4) * N + 1).text() == "4*N + 1");
  CHECK((1 - N).text() == "-N + 1");
  CHECK((N * M * N).text() == "M*N*N");
  CHECK(Extent(0).text() == "0");
  CHECK(Extent::erased() != Extent::erased());
  CHECK(Extent::erased().text() == "_");
}

TEST_CASE("an extent has a value where all its names have one") {
  const Extent quotient = Extent::floor_divide(N, M);
  CHECK(quotient.evaluate({{"N", 7}, {"M", 2}}) == 3);
  CHECK_FALSE(quotient.evaluate({{"N", 7}}));
  CHECK_FALSE(quotient.evaluate({{"M", 2}}));
  CHECK_FALSE((N * M).evaluate({{"N", 7}}));
}

TEST_CASE("floor division: exact where it is, an atom where it is not") {
  CHECK(Extent::floor_divide(Extent(4) * N, 4) == N);
  CHECK(Extent::floor_divide(Extent(4) * N + 3, 4) == N);
  CHECK(Extent::floor_divide(Extent(4) * N + 7, 4) == N + 1);
  CHECK(Extent::floor_divide(N * M, N) == M);
  CHECK(Extent::floor_divide((N + 1) * (M + 2), N + 1) == M + 2);
  CHECK(Extent::floor_divide(7, -2).is(-4));
  CHECK(Extent::floor_divide(N, 0).is(0));
  const Extent output = Extent::floor_divide(N - K + 1, 2) + 1;
  CHECK(output == Extent::floor_divide(1 - K + N, 2) + 1);
  CHECK(output.evaluate({{"N", 28}, {"K", 5}}) == 13);
  CHECK(Extent::floor_divide(N, M).text() == "floor(N/M)");
  CHECK(Extent::floor_divide(N + 1, M + 1).text() == "floor((N + 1)/(M + 1))");
  CHECK_FALSE(Extent::exact_divide(N * N + 1, N).has_value());
}

TEST_CASE("arithmetic is checked: what 64 bits do not hold is not valid, and stays so") {
  const Extent huge(std::int64_t{1} << 62);
  CHECK_FALSE((huge + huge).valid());
  CHECK_FALSE((huge * 4 + N).valid());
  CHECK_FALSE(((huge * 4) * 0).valid());
  Extent power = N;
  for (int i = 0; i < 20; ++i) power = power * N;
  CHECK_FALSE(power.valid());
  Extent nested = N;
  for (int i = 0; i < 20; ++i) nested = Extent::floor_divide(nested + 1, 3);
  CHECK_FALSE(nested.valid());
  CHECK_FALSE((N * huge).evaluate({{"N", 4}}).has_value());
  CHECK_FALSE(N.evaluate({}).has_value());
}

TEST_CASE("proofs: equal, different, or open") {
  CHECK(provably_equal(N + 1, 1 + N) == Proof::yes);
  CHECK(provably_equal(N + 1, N) == Proof::no);
  CHECK(provably_equal(N + M + 1, N) == Proof::no);
  CHECK(provably_equal(N, M) == Proof::unknown);
  CHECK(provably_equal(N, 0) == Proof::unknown);
  CHECK(provably_equal(0, N) == Proof::unknown);
  CHECK(provably_equal(N, N + M + 1) == Proof::no);
  CHECK(provably_at_most(N, N + M) == Proof::yes);
  CHECK(provably_at_most(N + 1, N) == Proof::no);
  CHECK(provably_at_most(N, 5) == Proof::unknown);
  CHECK(provably_at_most(N, N) == Proof::yes);
  CHECK(provably_at_most(N, 0) == Proof::unknown);
  CHECK(provably_at_most(N + M, N) == Proof::unknown);
}

TEST_CASE("a lower bound is the constant where nothing is subtracted from it") {
  CHECK(Extent(-3).lower_bound() == -3);
  CHECK((N * M + 2).lower_bound() == 2);
  CHECK(N.lower_bound() == 0);
  CHECK((Extent::floor_divide(N + 1, M) + 4).lower_bound() == 4);
  CHECK_FALSE((5 - N).lower_bound());
  CHECK_FALSE(Extent::floor_divide(N - 1, M).lower_bound());
  CHECK_FALSE(Extent::floor_divide(N, M - 1).lower_bound());
  CHECK_FALSE(Extent::invalid().lower_bound());
}

TEST_CASE("extents have up to 64 terms, of up to 12 factors, and quotients within 7 others") {
  Extent sum, power(1), nested = N;
  for (int i = 0; i < 64; ++i) sum = sum + Extent::dimension("x" + std::to_string(i));
  CHECK(sum.valid());
  CHECK_FALSE((sum + 1).valid());
  CHECK((sum - Extent::dimension("x7") + 1).valid());
  for (int i = 0; i < 12; ++i) power = power * N;
  CHECK(power.valid());
  CHECK_FALSE((power * N).valid());
  for (int i = 0; i < 8; ++i) nested = Extent::floor_divide(nested + 1, 3);
  CHECK(nested.valid());
  CHECK_FALSE(Extent::floor_divide(nested + 1, 3).valid());
  CHECK_FALSE(Extent::floor_divide(N, nested).valid());
  CHECK_FALSE(Extent::invalid().constant());
  CHECK(Extent::invalid().text() == "overflow");
}

TEST_CASE("polynomials are divided exactly, or not at all") {
  CHECK(Extent::exact_divide(6 * N * M + 4 * N, 2 * N) == 3 * M + 2);
  CHECK(Extent::exact_divide(N * N - M * M, N + M) == N - M);
  CHECK(Extent::exact_divide(N, N)->is(1));
  CHECK(Extent::exact_divide(0, N)->is(0));
  CHECK_FALSE(Extent::exact_divide(3 * N, 2));
  CHECK_FALSE(Extent::exact_divide(std::numeric_limits<std::int64_t>::min() * N, -1));
  CHECK_FALSE(Extent::exact_divide(N, 0));
  CHECK_FALSE(Extent::exact_divide(N, M));
  CHECK_FALSE(Extent::exact_divide(N, N * M));
  CHECK(Extent::floor_divide(-7, 2).is(-4));
  CHECK(Extent::floor_divide(-6, 2).is(-3));
  CHECK(Extent::floor_divide(7, -1).is(-7));
  CHECK(Extent::floor_divide(2 - 3 * N, 2).text() == "-2*N + floor(N/2) + 1");
}

TEST_CASE("the name of an extent is that of its only dimension, and its text tells erased ones apart") {
  CHECK(N.name() == "N");
  for (const Extent& other : {2 * N, N * N, N + M, Extent(3), Extent(0), Extent::floor_divide(N, 2)})
    CHECK_FALSE(other.name());
  CHECK(Extent::dimension("_#3").text() == "_3");
  CHECK((Extent::dimension("_x") * 2).text() == "2*_");
  CHECK((-2 * N - 3).text() == "-2*N - 3");
  CHECK((N * N * -1).text() == "-N*N");
  CHECK(Extent::floor_divide(2 * N, M).text() == "floor((2*N)/M)");
  CHECK(text(Shape{N, 3, 1}) == "N x 3 x 1");
  CHECK(unit_count({N, 3}) == 3 * N);
  CHECK(unit_count({}).is(1));
}

TEST_CASE("unification binds lone names and verifies the rest") {
  Extent::Substitution bound;
  CHECK(unify(N, 5, bound));
  CHECK(unify(Extent(2) * N + 1, 11, bound));
  CHECK_FALSE(unify(N, 6, bound));
  CHECK((N * M).substitute(bound) == Extent(5) * M);
}

TEST_CASE("evaluation agrees with arithmetic on numbers, whatever the canonical form does") {
  std::mt19937 random(7);
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  for (int round = 0; round < 2000; ++round) {
    const Extent::Bindings bindings{{"N", pick(0, 9)}, {"M", pick(0, 9)}, {"K", pick(0, 9)}};
    std::vector<std::pair<Extent, std::int64_t>> pool{{N, bindings.at("N")},
                                                      {M, bindings.at("M")},
                                                      {K, bindings.at("K")},
                                                      {Extent(3), 3},
                                                      {Extent(-2), -2}};
    for (int step = 0; step < 6; ++step) {
      const auto [a, x] = pool[static_cast<std::size_t>(pick(0, static_cast<int>(pool.size()) - 1))];
      const auto [b, y] = pool[static_cast<std::size_t>(pick(0, static_cast<int>(pool.size()) - 1))];
      switch (pick(0, 3)) {
        case 0:
          pool.emplace_back(a + b, x + y);
          break;
        case 1:
          pool.emplace_back(a - b, x - y);
          break;
        case 2:
          pool.emplace_back(a * b, x * y);
          break;
        default: {
          // A divisor that is 0 for these bindings may have been cancelled as a polynomial.
          if (y == 0) continue;
          const std::int64_t q = x / y - ((x % y != 0) && ((x < 0) != (y < 0)));
          pool.emplace_back(Extent::floor_divide(a, b), q);
        }
      }
      const auto& [extent, value] = pool.back();
      if (!extent.valid()) {
        pool.pop_back();
        continue;
      }
      const auto got = extent.evaluate(bindings);
      // A zero divisor inside an atom makes the atom 0 on both sides only where it was not cancelled.
      if (got) CHECK_MESSAGE(*got == value, extent.text());
    }
  }
}

}  // namespace
}  // namespace dlvm
