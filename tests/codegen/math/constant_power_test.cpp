// Powers by a constant integer: multiplications, and what the interpreter says.
#include <fmt/format.h>

#include <cmath>
#include <random>

#include "forward.h"

namespace {

using dlvm::ElementType;

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t n = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

dlvm::Tensor numbers(ElementType type, double low, double high, std::int64_t n) {
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> uniform(low, high);
  dlvm::Tensor result(type, {n});
  for (std::size_t i = 0; i < result.size(); ++i) result.set(i, uniform(engine));
  return result;
}

}  // namespace

TEST_CASE("a power by a constant integer is multiplications by a shortest chain") {
  struct Case {
    int exponent;
    std::size_t products;
  };
  for (const auto& [exponent, products] : {Case{3, 2}, {7, 4}, {15, 5}, {23, 6}, {47, 8}, {64, 6}, {-5, 3}}) {
    // One row in a vector, so that the loop's body is there once.
    const test::Forward program(fmt::format("type float32\nx: in[16]\ny: out = x ^ {}\n", exponent));
    INFO(exponent);
    CHECK(count(program.compiled().text(), "tel.power") == 0);
    CHECK(count(program.compiled().text(), "fmul") % products == 0);
    CHECK(count(program.compiled().text(), "fdiv") ==
          (exponent < 0 ? count(program.compiled().text(), "fmul") / products : 0));
    const auto x = numbers(ElementType::f32, 0.5, 2, 16);
    const auto y = program.run({x}, 0);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double exact = std::pow(x.real(i), exponent);
      CHECK(std::fabs(y.real(i) - exact) <= std::abs(exponent) * 0x1p-24 * std::fabs(exact));
    }
  }
  CHECK(count(test::Forward("x: in[16]\ny: out = x ^ 65\n").compiled().text(), "tel.power") > 0);
  CHECK(count(test::Forward("x: in[16]\ny: out = x ^ 2.5\n").compiled().text(), "tel.power") > 0);
}

TEST_CASE("powers of integers by a constant wrap as the interpreter's") {
  for (const char* type : {"int8", "uint8", "int16", "int32", "int64"})
    for (const int exponent : {0, 1, 2, 3, 7, 30, 63, 64, 65}) {
      const test::Forward program(fmt::format("x: in {}[N]\ny: out = x ^ {}\n", type, exponent));
      const auto x = numbers(program.function().type().parameters()[0].element(), 0, 100, 40);
      INFO(type, " ^ ", exponent);
      CHECK(program.run({x}, 40) == program.interpreted({x}, 40));
    }
}
