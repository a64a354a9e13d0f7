#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "dlvm/differentiate/differentiate.h"
#include "tests/dlvm/differentiate/derivatives.h"

using namespace derivatives;

namespace {

using Values = std::vector<Value*>;
const Extent n = Extent::dimension("N");
constexpr int draws = 200;

/// Draws shapes of up to three axes, of which the first may be a named dimension, and an axis; compares two
/// orders of derivatives with central differences each time. `build` takes the operands and the axis.
template <typename Build>
void check(const char* name, std::size_t operands, const Build& build, double low = -1.2, double high = 1.2) {
  double worst = 0;
  for (std::uint64_t seed = 0; seed < draws; ++seed) {
    std::mt19937_64 random(seed);
    const auto below = [&](std::int64_t end) {
      return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
    };
    Shape shape;
    std::vector<std::int64_t> extents;
    for (std::int64_t axes = 1 + below(3); axes > 0; --axes)
      extents.push_back(1 + below(extents.empty() ? 6 : 3));
    if (below(8) == 0) extents[0] = 0;
    for (const auto extent : extents) shape.emplace_back(extent);
    if (below(2) == 0) shape[0] = n;
    std::vector<Type> types(operands, f64(shape));
    std::vector<Tensor> inputs;
    for (std::size_t i = 0; i < operands; ++i)
      inputs.push_back(draw(random, ElementType::f64, extents, low, high));
    const std::int64_t axis = below(static_cast<std::int64_t>(extents.size()));
    const std::int64_t extent = shape[static_cast<std::size_t>(axis)].constant().value_or(0);
    const std::int64_t count = extent > 0 ? 1 + below(extent) : 0;
    Module module("m");
    const Function* f = define(module, "f", types,
                               [&](Builder& b, const Values& x) { return build(module, b, x, axis, count); });
    const auto through = seed % 2 == 0 ? Through::differentiation : Through::pipeline;
    const Disagreement d = disagreement(module, *f, inputs, 2, seed, through);
    INFO(name, ", draw ", seed);
    REQUIRE_MESSAGE(!d.failure, d.failure.value_or(""));
    CHECK_MESSAGE(d.worst < 1e-6, d.where);
    worst = std::max(worst, d.worst);
  }
  MESSAGE(fmt::format("{}: {} draws, the largest error is {:.1e}", name, draws, worst));
}

}  // namespace

TEST_CASE("derivatives of sorts") {
  check("sort", 1, [](Module&, Builder& b, const Values& x, std::int64_t axis, std::int64_t) {
    return b.create(Opcode::sort, {x[0]}, {Attribute(), Integers{axis}});
  });
  check("sort, descending", 1, [](Module&, Builder& b, const Values& x, std::int64_t axis, std::int64_t) {
    return b.create(Opcode::sort, {x[0]}, {Combinator{Opcode::greaterThan, nullptr}, Integers{axis}});
  });
  check("topk", 1, [](Module&, Builder& b, const Values& x, std::int64_t axis, std::int64_t count) {
    return b.extract(b.create(Opcode::topk, {x[0]}, {Shape{Extent(count)}, Integers{axis}}), 0);
  });
}

TEST_CASE("derivatives of recurrences and of scans that are not sums") {
  check("recurrence", 2, [](Module&, Builder& b, const Values& x, std::int64_t axis, std::int64_t) {
    return b.create(Opcode::recurrence, {x[0], x[1]}, {Integers{axis}});
  });
  check("scan by multiply", 1, [](Module&, Builder& b, const Values& x, std::int64_t axis, std::int64_t) {
    return b.scan(x[0], {Opcode::multiply, nullptr}, axis);
  });
  check("scan by max", 1, [](Module&, Builder& b, const Values& x, std::int64_t axis, std::int64_t) {
    return b.scan(x[0], {Opcode::max, nullptr}, axis);
  });
}

TEST_CASE("derivatives of scans and reductions by a function") {
  for (const bool scans : {false, true})
    check(scans ? "scan by a function" : "reduce by a function", 1,
          [&](Module& module, Builder& b, const Values& x, std::int64_t axis, std::int64_t) {
            const Function* combine = define(
                module, module.fresh_name("combine"), {f64(), f64()}, [](Builder& in, const Values& y) {
                  return in.unary(Opcode::log,
                                  in.add(in.unary(Opcode::exp, y[0]), in.unary(Opcode::exp, y[1])));
                });
            const Combinator by{Opcode::add, combine};
            return scans ? b.scan(x[0], by, axis)
                         : b.reduce(x[0], by, b.constant(ElementType::f64, 0.3), {axis});
          });
}

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
