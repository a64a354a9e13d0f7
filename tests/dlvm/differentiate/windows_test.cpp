// Adjoints of convolutions and of reductions of windows against central differences.
#include <doctest/doctest.h>

#include "dlvm/differentiate/differentiate.h"
#include "tests/dlvm/differentiate/derivatives.h"
#include "tests/support/random_windows.h"

using namespace derivatives;

namespace {

Shape shape(const std::vector<std::int64_t>& extents) { return Shape(extents.begin(), extents.end()); }

void check_convolution(std::uint64_t seed, int orders) {
  std::mt19937_64 random(seed);
  const auto c = test::random_convolution(random, orders == 1 ? 3 : 2);
  Module module("m");
  const Function* f =
      define(module, "f", {f64(shape(c.input)), f64(shape(c.kernel))},
             [&](Builder& b, const auto& x) { return b.convolve(x[0], x[1], c.axes, c.groups); });
  const Disagreement d = disagreement(module, *f,
                                      {derivatives::draw(random, ElementType::f64, c.input, -1, 1),
                                       derivatives::draw(random, ElementType::f64, c.kernel, -1, 1)},
                                      orders, seed);
  CHECK_MESSAGE(!d.failure, "seed " << seed << ": " << d.failure.value_or(""));
  CHECK_MESSAGE(d.worst < 1e-6, "seed " << seed << ": " << d.where);
}

/// The initial value is a parameter, or a literal.
void check_window(Opcode by, std::uint64_t seed, int orders) {
  std::mt19937_64 random(seed);
  const auto w = test::random_window(random, orders == 1 ? 3 : 2);
  const bool given = seed % 2 == 0;
  Module module("m");
  const Function* f = define(module, "f", {f64(shape(w.input)), f64()}, [&](Builder& b, const auto& x) {
    Value* initial = given ? x[1] : b.constant(ElementType::f64, by == Opcode::add ? 0 : -INFINITY);
    return b.reduce_window(x[0], {by, nullptr}, initial, w.axes);
  });
  std::vector<Tensor> inputs{derivatives::draw(random, ElementType::f64, w.input, -1, 1),
                             derivatives::draw(random, ElementType::f64, {}, -1, 1)};
  if (by != Opcode::add && !given) inputs[1] = Tensor::scalar(ElementType::f64, 0.0);
  // Beyond the axis there may be windows without elements, whose infinities have no differences.
  const Disagreement d = disagreement(module, *f, inputs, orders, seed);
  CHECK_MESSAGE(!d.failure, "seed " << seed << ": " << d.failure.value_or(""));
  CHECK_MESSAGE(d.worst < 1e-6, "seed " << seed << ": " << d.where);
}

}  // namespace

TEST_CASE("convolutions with random attributes: both adjoints") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) check_convolution(seed, 1);
}

TEST_CASE("convolutions with random attributes: the second order") {
  for (std::uint64_t seed = 1000; seed < 1030; ++seed) check_convolution(seed, 2);
}

TEST_CASE("convolutions with random attributes, the long sweep" * doctest::skip()) {
  for (std::uint64_t seed = 2000; seed < 6000; ++seed)
    check_convolution(seed, 1 + static_cast<int>(seed % 2));
}

TEST_CASE("sums of windows with random attributes") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) check_window(Opcode::add, seed, 1);
  for (std::uint64_t seed = 1000; seed < 1030; ++seed) check_window(Opcode::add, seed, 2);
}

TEST_CASE("extrema and products of windows with random attributes") {
  for (std::uint64_t seed = 0; seed < 200; seed += 2) check_window(Opcode::max, seed, 1);
  for (std::uint64_t seed = 200; seed < 250; seed += 2) check_window(Opcode::min, seed, 1);
  for (std::uint64_t seed = 400; seed < 440; seed += 2) check_window(Opcode::multiply, seed, 1);
  for (std::uint64_t seed = 1000; seed < 1020; seed += 2) check_window(Opcode::max, seed, 2);
}

TEST_CASE("elements that tie in a window have equal shares") {
  Module module("m");
  Function* f = define(module, "f", {f64({4})}, [](Builder& b, const auto& x) {
    Value* least = b.constant(ElementType::f64, -INFINITY);
    Value* largest = b.reduce_window(x[0], {Opcode::max, nullptr}, least, {{4, 3, 1, 1, 1}});
    return b.sum(largest, {0});
  });
  GradientDeclaration declaration;
  declaration.of = f;
  Function* gradient = declare(module, "g", declaration);
  Diagnostics diagnostics;
  REQUIRE(differentiate(module, diagnostics));
  Tensor x(ElementType::f64, {4});
  for (std::size_t i = 0; i < 4; ++i) x.set(i, i == 3 ? 1.0 : 2.0);
  // The windows are (2 2) (2 2 2) (2 2 1) (2 1).
  const double expected[]{1. / 2 + 1. / 3, 1. / 2 + 1. / 3 + 1. / 2, 1. / 3 + 1. / 2 + 1, 0};
  const Tensor g = evaluate(*gradient, {x})[0];
  for (std::size_t i = 0; i < 4; ++i) CHECK(g.real(i) == doctest::Approx(expected[i]));
}
