#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>

#include "dlvm/analysis/gradient_type.h"
#include "dlvm/differentiate/differentiate.h"
#include "dlvm/ir/instruction_views.h"
#include "tests/dlvm/differentiate/derivatives.h"

using namespace derivatives;

namespace {

using Values = std::vector<Value*>;
const Extent n = Extent::dimension("N"), m = Extent::dimension("M");
constexpr ElementType element = ElementType::f64;

void agrees(Module& module, const Function& f, const std::vector<Tensor>& inputs, int orders = 2) {
  const Disagreement d = disagreement(module, f, inputs, orders);
  CHECK_MESSAGE(!d.failure, d.failure.value_or(""));
  CHECK_MESSAGE(d.worst < 1e-6, d.where);
}

std::size_t functions_named(const Module& module, std::string_view part) {
  std::size_t count = 0;
  for (const auto& function : module.functions()) count += function->name().find(part) != std::string::npos;
  return count;
}

GradientDeclaration gradient_of(const Function* of) {
  GradientDeclaration declaration;
  declaration.of = of;
  return declaration;
}

}  // namespace

TEST_CASE("calls: one adjoint a callee, shared; tuples in and out") {
  Module module("m");
  const Type pair = Type::tuple({f64({m}), Type::tuple({f64(), Type::scalar(ElementType::i32)})});
  const Function* callee = define(module, "callee", {f64({m}), pair}, [](Builder& b, const Values& x) {
    Value *first = b.extract(x[1], 0), *scalar = b.extract(b.extract(x[1], 1), 0);
    return b.tuple({b.multiply(x[0], first), b.tuple({b.multiply(scalar, first)})});
  });
  const Function* f = define(module, "f", {f64({n}), f64({n}), f64()}, [&](Builder& b, const Values& x) {
    const auto call = [&](Value* a, Value* c, Value* s) {
      Value* inner = b.tuple({s, b.constant(ElementType::i32, 3)});
      Value* replaced = b.create(Opcode::insert, {b.multiply(s, s), inner}, {Integers{0}});
      Value* result = b.apply(callee, {a, b.tuple({c, replaced})});
      return b.add(b.extract(result, 0), b.extract(b.extract(result, 1), 0));
    };
    return call(call(x[0], x[1], x[2]), x[0], x[2]);
  });
  std::mt19937_64 random(1);
  agrees(module, *f,
         {draw(random, element, {3}, -1, 1), draw(random, element, {3}, -1, 1),
          draw(random, element, {}, -1, 1)});
}

TEST_CASE("calls: two calls with the same activity share an adjoint") {
  Module module("m");
  const Function* callee = define(module, "callee", {f64({m})},
                                  [](Builder& b, const Values& x) { return b.unary(Opcode::sin, x[0]); });
  const Function* f = define(module, "f", {f64({n})}, [&](Builder& b, const Values& x) {
    return b.apply(callee, {b.apply(callee, {x[0]})});
  });
  declare(module, "g", gradient_of(f));
  Diagnostics diagnostics;
  REQUIRE(differentiate(module, diagnostics));
  CHECK(functions_named(module, "callee.adjoint") == 1);
  CHECK(diagnostics.all().empty());
}

TEST_CASE("calls: recursion has an adjoint that calls itself") {
  Module module("m");
  Function* f = module.add_function("f", Type::function({f64()}, f64()));
  Builder b(*f->add_entry());
  Value* x = f->entry().arguments()[0].get();
  b.return_(b.add(x, b.apply(f, {b.multiply(x, x)})));
  declare(module, "g", gradient_of(f));
  Diagnostics diagnostics;
  REQUIRE(differentiate(module, diagnostics));
  const Function* adjoint = module.function("f.adjoint");
  REQUIRE(adjoint != nullptr);
  std::size_t calls_itself = 0;
  for (const auto& instruction : adjoint->entry().instructions())
    calls_itself += as<Apply>(*instruction) && Apply(*instruction).callee() == adjoint;
  CHECK(calls_itself == 1);
}

TEST_CASE("declarations: from, wrt, keeping, seedable, other names of dimensions") {
  Module module("m");
  const Function* f = define(module, "f", {f64({n}), f64({n})}, [](Builder& b, const Values& x) {
    return b.tuple({b.sum(x[0], {0}), b.multiply(x[0], x[1])});
  });
  GradientDeclaration declaration = gradient_of(f);
  declaration.from = 1;
  declaration.wrt = Integers{1, 0};
  declaration.keeping = {0, 1};
  declaration.seedable = true;
  Function* g = module.add_function(
      "g", Type::function({f64({m}), f64({m}), f64({m})},
                          Type::tuple({f64({m}), f64({m}), f64(), f64({Extent::erased()})})));
  g->gradient = declaration;
  Diagnostics diagnostics;
  REQUIRE(differentiate(module, diagnostics));
  CHECK_FALSE(g->gradient);
  CHECK(module.stage == Module::Stage::canonical);
  CHECK(g->type().result() == Type::tuple({f64({m}), f64({m}), f64(), f64({m})}));
  Tensor x(element, {2}), y(element, {2}), seed(element, {2});
  for (const std::size_t i : {0UL, 1UL}) {
    x.set(i, 2.0 + static_cast<double>(i));
    y.set(i, 5.0);
    seed.set(i, 10.0);
  }
  const auto out = evaluate(*g, {x, y, seed});
  REQUIRE(out.size() == 4);
  CHECK(out[0].real(1) == 30);
  CHECK(out[1].real(1) == 50);
  CHECK(out[2].real(0) == 5);
  CHECK(out[3].real(0) == 10);
}

TEST_CASE("declarations: without wrt all floating arguments, integers left out; a tuple of them") {
  Module module("m");
  const Function* f =
      define(module, "f", {f64({4}), Type::tensor(ElementType::i64, {n}), Type::tuple({f64(), f64()})},
             [](Builder& b, const Values& x) {
               Value* picked = b.gather(x[0], {x[1]}, {0});
               return b.multiply(b.sum(picked, {0}), b.extract(x[2], 1));
             });
  Function* g = declare(module, "g", gradient_of(f));
  CHECK(g->type().result() == Type::tuple({f64({4}), Type::tuple({f64(), f64()})}));
  Diagnostics diagnostics;
  CHECK(differentiate(module, diagnostics));
}

TEST_CASE("the side not taken: sqrt at 0 gives finite derivatives of three orders") {
  Module module("m");
  const Function* f = define(module, "f", {f64({n})}, [](Builder& b, const Values& x) {
    Value* zero = b.constant(element, 0);
    Value* root = b.unary(Opcode::exp, b.unary(Opcode::sqrt, x[0]));
    Value* cube = b.multiply(b.multiply(x[0], x[0]), x[0]);
    return b.sum(b.select(root, cube, b.binary(Opcode::greaterThan, x[0], zero)), {0});
  });
  const Function* order[4] = {f};
  for (int i = 1; i < 4; ++i) {
    const Function* gradient = declare(module, fmt::format("g{}", i), gradient_of(order[i - 1]));
    order[i] = define(module, fmt::format("s{}", i), {f64({n})}, [&](Builder& b, const Values& x) {
      return b.sum(b.extract(b.apply(gradient, {x[0]}), 0), {0});
    });
  }
  Diagnostics diagnostics;
  REQUIRE(differentiate(module, diagnostics));
  Tensor x(element, {3});
  x.set(0, 0.0);
  x.set(1, -1.0);
  x.set(2, 4.0);
  // x³ below 0; above, exp √x = exp(2) at 4: its derivatives are e² / 4, e² / 32, e² / 256.
  const double below[]{0, 3, -6, 6}, e2 = std::exp(2.0), above[]{0, e2 / 4, e2 / 32, e2 / 256};
  for (int i = 1; i < 4; ++i) {
    const auto value = evaluate(*module.function(fmt::format("g{}", i)), {x})[0];
    CHECK(value.real(0) == (i == 3 ? 6 : 0));
    CHECK(value.real(1) == below[i]);
    CHECK(value.real(2) == doctest::Approx(above[i]));
  }
}

TEST_CASE("where there is no derivative: ties, abs and the norm at 0, power") {
  const auto derivative_at = [](double at, const std::function<Value*(Builder&, Value*)>& body) {
    Module module("m");
    const Function* f =
        define(module, "f", {f64()}, [&](Builder& b, const Values& x) { return body(b, x[0]); });
    declare(module, "g", gradient_of(f));
    Diagnostics diagnostics;
    REQUIRE(differentiate(module, diagnostics));
    return evaluate(*module.function("g"), {Tensor::scalar(element, at)})[0].real(0);
  };
  const auto constant = [](Builder& b, double v) { return b.constant(element, v); };
  CHECK(derivative_at(0, [&](Builder& b, Value* x) { return b.binary(Opcode::max, x, constant(b, 0)); }) ==
        0.5);
  CHECK(derivative_at(0, [&](Builder& b, Value* x) { return b.binary(Opcode::min, constant(b, 0), x); }) ==
        0.5);
  CHECK(derivative_at(0, [](Builder& b, Value* x) { return b.unary(Opcode::abs, x); }) == 0);
  CHECK(derivative_at(0, [](Builder& b, Value* x) { return b.unary(Opcode::sqrt, b.multiply(x, x)); }) == 0);
  const auto exponent = [&](double base, double at) {
    return derivative_at(at,
                         [&](Builder& b, Value* x) { return b.binary(Opcode::power, constant(b, base), x); });
  };
  CHECK(exponent(0, 2) == 0);
  CHECK(exponent(0, 0) == 0);
  CHECK(std::isnan(exponent(-2, 2)));
  const auto base = [&](double at, double y) {
    return derivative_at(at, [&](Builder& b, Value* x) {
      return b.binary(Opcode::power, x, b.unary(Opcode::detach, b.add(constant(b, y), b.subtract(x, x))));
    });
  };
  CHECK(base(0, 0) == 0);
  CHECK(base(0, 1) == 1);
  CHECK(base(0, 2) == 0);
  CHECK(base(3, 2) == 6);
}

TEST_CASE("a reduction by max gives equals an equal share") {
  Module module("m");
  const Function* f = define(module, "f", {f64({n})}, [](Builder& b, const Values& x) {
    return b.reduce(x[0], {Opcode::max, nullptr}, b.constant(element, -INFINITY), {0});
  });
  declare(module, "g", gradient_of(f));
  Diagnostics diagnostics;
  REQUIRE(differentiate(module, diagnostics));
  Tensor x(element, {4});
  for (const std::size_t i : {0UL, 1UL, 3UL}) x.set(i, 2.0);
  const Tensor g = evaluate(*module.function("g"), {x})[0];
  CHECK(g.real(0) == doctest::Approx(1.0 / 3));
  CHECK(g.real(2) == 0);
  for (std::size_t i = 0; i < 4; ++i) x.set(i, -INFINITY);
  CHECK(evaluate(*module.function("g"), {x})[0].real(3) == 0.25);
}
