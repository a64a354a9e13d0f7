#include <doctest/doctest.h>

#include <cmath>

#include "dlvm/differentiate/differentiate.h"
#include "tests/dlvm/differentiate/derivatives.h"
#include "tests/dlvm/differentiate/elementwise_ranges.h"

using namespace derivatives;

namespace {

void check(Module& module, const Function& function, const std::vector<Tensor>& inputs, int orders = 2) {
  const Disagreement d = disagreement(module, function, inputs, orders);
  INFO(function.name());
  CHECK_MESSAGE(!d.failure, d.failure.value_or(""));
  CHECK_MESSAGE(d.worst < 1e-6, d.where);
}

const Extent n = Extent::dimension("N");

}  // namespace

TEST_CASE("derivatives of unary instructions, of three orders") {
  std::mt19937_64 random(7);
  for (const OperandRange& row : unary_ranges) {
    Module module("m");
    const Function* f = define(module, std::string(definition(row.opcode).name), {f64({n, 3})},
                               [&](Builder& b, const auto& x) { return b.unary(row.opcode, x[0]); });
    check(module, *f, {draw(random, ElementType::f64, {2, 3}, row.low, row.high)}, 3);
  }
}

TEST_CASE("derivatives of binary instructions under every broadcast") {
  std::mt19937_64 random(8);
  struct Shapes {
    Shape left, right;
    std::vector<std::int64_t> left_extents, right_extents;
  };
  const Shapes shapes[]{
      {{}, {}, {}, {}},           {{n, 3}, {n, 3}, {2, 3}, {2, 3}}, {{n, 3}, {3}, {2, 3}, {3}},
      {{}, {n, 3}, {}, {2, 3}},   {{n, 1}, {1, 3}, {2, 1}, {1, 3}}, {{1, n}, {4, 1, 1}, {1, 2}, {4, 1, 1}},
      {{1}, {1, 1}, {1}, {1, 1}}, {{n, 3}, {n, 1}, {0, 3}, {0, 1}}, {{n, 3}, {3}, {0, 3}, {3}}};
  for (const OperandRange& row : binary_ranges)
    for (const Shapes& shape : shapes) {
      Module module("m");
      const Function* f =
          define(module, std::string(definition(row.opcode).name), {f64(shape.left), f64(shape.right)},
                 [&](Builder& b, const auto& x) { return b.binary(row.opcode, x[0], x[1]); });
      check(module, *f,
            {draw(random, ElementType::f64, shape.left_extents, row.low, row.high),
             draw(random, ElementType::f64, shape.right_extents, row.low, row.high)});
    }
}

namespace {

/// The derivative of the sum of the instruction's results, at each x.
Tensor derivative_at(const Tensor& x, Opcode opcode) {
  Module module("m");
  const Function* sum = define(module, "f", {Type::tensor(x.element(), {n})},
                               [&](Builder& b, const auto& a) { return b.sum(b.unary(opcode, a[0]), {0}); });
  GradientDeclaration declaration;
  declaration.of = sum;
  declaration.wrt = {0};
  Function* gradient = declare(module, "g", declaration);
  Diagnostics diagnostics;
  REQUIRE(differentiate(module, diagnostics));
  const std::vector<RuntimeValue> arguments{x};
  const auto done = interpret(*gradient, arguments);
  REQUIRE(done);
  return done.value.is_tensor() ? done.value.tensor() : done.value.elements()[0].tensor();
}

}  // namespace

TEST_CASE("a formula of 16-bit floats, constants too, is rounded once") {
  std::mt19937_64 random(12);
  for (const OperandRange& row : unary_ranges) {
    const bool of_result = row.opcode == Opcode::tanh || row.opcode == Opcode::tan ||
                           row.opcode == Opcode::sqrt || row.opcode == Opcode::rsqrt ||
                           row.opcode == Opcode::exp || row.opcode == Opcode::geluTanhOdds;
    if (of_result) continue;  // the result is rounded before
    for (const ElementType type : {ElementType::f16, ElementType::bf16}) {
      const Tensor x = draw(random, type, {40}, row.low, row.high);
      Tensor wide(ElementType::f64, {40});
      for (std::size_t i = 0; i < x.size(); ++i) wide.set(i, x.real(i));
      const Tensor found = derivative_at(x, row.opcode), exact = derivative_at(wide, row.opcode);
      for (std::size_t i = 0; i < x.size(); ++i) {
        Tensor rounded = Tensor::scalar(type, exact.real(i));
        INFO(definition(row.opcode).name, " ", info(type).name, " at ", x.real(i));
        // One rounding in the type; what float32 loses before moves it at most to the neighbour of a tie.
        const double precision = type == ElementType::f16 ? 0x1p-11 : 0x1p-8;
        CHECK(std::fabs(found.real(i) - exact.real(i)) <= 1.001 * precision * std::fabs(rounded.real(0)));
      }
    }
  }
}

TEST_CASE("power: constant exponents on both sides of 0, a varying one above 0") {
  std::mt19937_64 random(9);
  for (const double exponent : {-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 7.0}) {
    Module module("m");
    const Function* f = define(module, "f", {f64({3})}, [&](Builder& b, const auto& x) {
      return b.add(b.binary(Opcode::power, x[0], b.constant(ElementType::f64, exponent)), x[0]);
    });
    check(module, *f, {draw(random, ElementType::f64, {3}, -2, -0.5)}, 3);
  }
}

TEST_CASE("select, conversions and random numbers") {
  std::mt19937_64 random(10);
  {
    Module module("m");
    const Function* f =
        define(module, "f", {f64({n, 3}), f64({3}), f64({n, 1})}, [&](Builder& b, const auto& x) {
          Value* c = b.binary(Opcode::greaterThan, x[2], b.constant(ElementType::f64, 0));
          return b.multiply(b.select(x[0], x[1], c), x[2]);
        });
    check(module, *f,
          {draw(random, ElementType::f64, {4, 3}, -2, 2), draw(random, ElementType::f64, {3}, -2, 2),
           draw(random, ElementType::f64, {4, 1}, -2, 2)});
  }
  {
    Module module("m");
    const Function* f = define(module, "f", {f64({n, 3})}, [&](Builder& b, const auto& x) {
      return b.cast(b.multiply(b.cast(x[0], ElementType::f32), b.cast(x[0], ElementType::f32)),
                    ElementType::f64);
    });
    check(module, *f, {draw(random, ElementType::f64, {2, 3}, -2, 2)});
  }
  {
    Module module("m");
    const Function* f = define(module, "f", {f64(), f64()}, [&](Builder& b, const auto& x) {
      Value* key = b.constant(ElementType::u64, 5);
      return b.random({3, 2}, x[0], x[1], key, b.constant(ElementType::u64, 1));
    });
    check(module, *f, {draw(random, ElementType::f64, {}, -2, 0), draw(random, ElementType::f64, {}, 1, 2)});
  }
}
