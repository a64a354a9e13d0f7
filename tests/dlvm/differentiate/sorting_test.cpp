#include <doctest/doctest.h>

#include "dlvm/differentiate/differentiate.h"
#include "tests/dlvm/differentiate/derivatives.h"

using namespace derivatives;

namespace {

using Values = std::vector<Value*>;
const Extent n = Extent::dimension("N");

}  // namespace

TEST_CASE("a zero among the factors of a scan") {
  Module module("m");
  const Function* f = define(module, "f", {f64({n})}, [](Builder& b, const Values& x) {
    return b.scan(x[0], {Opcode::multiply, nullptr}, 0);
  });
  Tensor x(ElementType::f64, {5});
  for (const std::size_t i : {0UL, 2UL, 4UL}) x.set(i, 1.5);
  const Disagreement d = disagreement(module, *f, {x}, 2);
  CHECK_MESSAGE(!d.failure, d.failure.value_or(""));
  CHECK_MESSAGE(d.worst < 1e-6, d.where);
}

TEST_CASE("the adjoint of a scan has no value of more elements than its operand") {
  Module module("m");
  const Function* f = define(module, "f", {f64({n})}, [](Builder& b, const Values& x) {
    return b.sum(b.scan(x[0], {Opcode::multiply, nullptr}, 0), {0});
  });
  GradientDeclaration declaration;
  declaration.of = f;
  const Function* gradient = declare(module, "g", declaration);
  Diagnostics diagnostics;
  REQUIRE(differentiate(module, diagnostics));
  for (const auto& instruction : gradient->entry().instructions())
    if (instruction->type().is_tensor())
      CHECK(unit_count(instruction->type().shape()).evaluate({{"N", 1000}}).value_or(0) <= 1001);
}
