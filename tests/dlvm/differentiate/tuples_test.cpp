// Derivatives by arguments that are tuples.
#include <doctest/doctest.h>

#include "dlvm/differentiate/differentiate.h"
#include "tests/dlvm/differentiate/derivatives.h"

using namespace derivatives;

namespace {

/// a * b * c of ((a, b), c).
const Function* product(Module& module) {
  return define(module, "f", {Type::tuple({f64(), f64()}), f64()}, [](Builder& b, const auto& x) {
    return b.multiply(b.multiply(b.extract(x[0], 0), b.extract(x[0], 1)), x[1]);
  });
}

RuntimeValue number(double value) { return Tensor::scalar(ElementType::f64, value); }
RuntimeValue pair(double a, double b) { return std::vector<RuntimeValue>{number(a), number(b)}; }
double real(const RuntimeValue& value) { return value.tensor().real(0); }

}  // namespace

TEST_CASE("the tangent of a tuple is a tuple") {
  Module module("m");
  GradientDeclaration declaration;
  declaration.of = product(module);
  declaration.wrt = {0, 1};
  declaration.mode = GradientDeclaration::Mode::forward;
  const Function* forward = declare(module, "forward", declaration);
  Diagnostics diagnostics;
  REQUIRE_MESSAGE(differentiate(module, diagnostics), render(diagnostics));
  const std::vector<RuntimeValue> arguments{pair(2, 3), number(5), pair(0.5, 0.25), number(7)};
  const Interpretation done = interpret(*forward, arguments);
  REQUIRE(done);
  CHECK(real(done.value.elements()[0]) == 0.5 * 3 * 5 + 2 * 0.25 * 5 + 2 * 3 * 7);
}

TEST_CASE("the derivative by a tuple is a tuple") {
  Module module("m");
  GradientDeclaration declaration;
  declaration.of = product(module);
  declaration.wrt = {0, 1};
  const Function* reverse = declare(module, "reverse", declaration);
  Diagnostics diagnostics;
  REQUIRE_MESSAGE(differentiate(module, diagnostics), render(diagnostics));
  const std::vector<RuntimeValue> arguments{pair(2, 3), number(5)};
  const Interpretation done = interpret(*reverse, arguments);
  REQUIRE(done);
  CHECK(real(done.value.elements()[0].elements()[0]) == 15);
  CHECK(real(done.value.elements()[0].elements()[1]) == 10);
  CHECK(real(done.value.elements()[1]) == 6);
}
