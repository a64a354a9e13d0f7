#include <doctest/doctest.h>

#include "tests/dlvm/differentiate/derivatives.h"

using namespace derivatives;

namespace {

struct Unary {
  Opcode opcode;
  double low, high;
};
constexpr Unary unary[]{
    {Opcode::sinh, -2, 2},    {Opcode::cosh, -2, 2},        {Opcode::tanh, -2, 2},
    {Opcode::asinh, -2, 2},   {Opcode::acosh, 1.2, 3},      {Opcode::atanh, -.8, .8},
    {Opcode::log, 0.3, 3},    {Opcode::log1p, -.7, 3},      {Opcode::exp, -2, 2},
    {Opcode::expm1, -2, 2},   {Opcode::negate, -2, 2},      {Opcode::abs, -2, 2},
    {Opcode::square, -2, 2},  {Opcode::sqrt, 0.3, 3},       {Opcode::rsqrt, 0.3, 3},
    {Opcode::tan, -1, 1},     {Opcode::cos, -3, 3},         {Opcode::sin, -3, 3},
    {Opcode::acos, -.8, .8},  {Opcode::asin, -.8, .8},      {Opcode::atan, -3, 3},
    {Opcode::lgamma, 0.3, 9}, {Opcode::digamma, .3, 9},     {Opcode::erf, -2, 2},
    {Opcode::erfc, -2, 2},    {Opcode::lgamma, -2.8, -2.2}, {Opcode::digamma, -2.8, -2.2},
};

struct Binary {
  Opcode opcode;
  double low, high;
};
constexpr Binary binary[]{
    {Opcode::add, -2, 2},      {Opcode::subtract, -2, 2},
    {Opcode::multiply, -2, 2}, {Opcode::divide, 0.5, 2},
    {Opcode::min, -2, 2},      {Opcode::max, -2, 2},
    {Opcode::power, 0.5, 2},   {Opcode::atan2, 0.5, 2},
    {Opcode::modulo, 1, 9},    {Opcode::absorbingMultiply, -2, 2},
};

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
  for (const Unary& row : unary) {
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
  for (const Binary& row : binary)
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
