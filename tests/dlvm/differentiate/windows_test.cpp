// What the table of derivatives (table_test.cpp) does not draw: ties.
#include <doctest/doctest.h>

#include "dlvm/differentiate/differentiate.h"
#include "tests/dlvm/differentiate/derivatives.h"

using namespace derivatives;

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
