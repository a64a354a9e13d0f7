#include <doctest/doctest.h>

#include "tests/dlvm/differentiate/derivatives.h"

using namespace derivatives;

namespace {

const Extent n = Extent::dimension("N"), m = Extent::dimension("M");
using Body = std::function<Value*(Builder&, const std::vector<Value*>&)>;

struct Input {
  Shape shape;
  std::vector<std::int64_t> extents;
  double low = -2, high = 2;
  ElementType element = ElementType::f64;
};

void check(const char* name, const std::vector<Input>& inputs, const Body& body, int orders = 2) {
  std::mt19937_64 random(11);
  std::vector<Type> types;
  std::vector<Tensor> values;
  for (const Input& input : inputs) {
    types.push_back(Type::tensor(input.element, input.shape));
    values.push_back(draw(random, input.element, input.extents, input.low, input.high));
  }
  Module module("m");
  const Function* f = define(module, "f", types, body);
  const Disagreement d = disagreement(module, *f, values, orders);
  INFO(name);
  CHECK_MESSAGE(!d.failure, d.failure.value_or(""));
  CHECK_MESSAGE(d.worst < 1e-6, d.where);
}

using Values = std::vector<Value*>;
constexpr ElementType element = ElementType::f64;
const Combinator sum{Opcode::add, nullptr}, product{Opcode::multiply, nullptr}, largest{Opcode::max, nullptr},
    smallest{Opcode::min, nullptr};

}  // namespace

TEST_CASE("derivatives of instructions that move elements") {
  check("padShape", {{{n, 3}, {2, 3}}}, [](Builder& b, const Values& x) { return b.pad_shape(x[0], 1); });
  check("squeezeShape", {{{n, 1, 3}, {2, 1, 3}}},
        [](Builder& b, const Values& x) { return b.squeeze_shape(x[0], 1); });
  check("shapeCast", {{{n, 6}, {2, 6}}},
        [](Builder& b, const Values& x) { return b.shape_cast(x[0], {n * Extent(2), 3}); });
  check("transpose", {{{n, 2, 3}, {4, 2, 3}}},
        [](Builder& b, const Values& x) { return b.transpose(x[0], {2, 0, 1}); });
  check("transpose, all reversed", {{{n, 2, 3}, {4, 2, 3}}},
        [](Builder& b, const Values& x) { return b.create(Opcode::transpose, {x[0]}, {Attribute()}); });
  check("reverse", {{{n, 3}, {2, 3}}}, [](Builder& b, const Values& x) { return b.reverse(x[0], {1}); });
  check("slice", {{{n, 5}, {2, 5}}},
        [](Builder& b, const Values& x) { return b.slice(x[0], {0, 1}, {n, 4}); });
  check("slice with steps", {{{n, 7}, {5, 7}}},
        [](Builder& b, const Values& x) { return b.slice(x[0], {1, 1}, {n, 7}, {2, 3}); });
  check("slice with a step over the end", {{{n}, {5}}},
        [](Builder& b, const Values& x) { return b.slice(x[0], {0}, {n}, {4}); });
  check("slice with a step of nothing", {{{n}, {0}}},
        [](Builder& b, const Values& x) { return b.slice(x[0], {0}, {n}, {4}); });
  check("concatenate", {{{n, 2}, {3, 2}}, {{n, 3}, {3, 3}}},
        [](Builder& b, const Values& x) { return b.concatenate({x[0], x[1], x[0]}, 1); });
  check("concatenate along a dimension", {{{n, 2}, {3, 2}}, {{m, 2}, {0, 2}}},
        [](Builder& b, const Values& x) { return b.concatenate({x[0], x[1]}, 0); });
  check("pad", {{{n, 2}, {3, 2}}, {{}, {}}},
        [](Builder& b, const Values& x) { return b.pad(x[0], {{1, 0}, {2, 3}}, x[1]); });
  check("broadcast", {{{n, 1}, {3, 1}}},
        [](Builder& b, const Values& x) { return b.broadcast(x[0], {2, n, 4}); });
  check("broadcast of one", {{{1}, {1}}},
        [](Builder& b, const Values& x) { return b.broadcast(x[0], {1, 1}); });
}

TEST_CASE("derivatives of gather and scatter") {
  const Input index{{m, 2}, {3, 2}, 0, 4, ElementType::i64}, other{{m, 2}, {3, 2}, 0, 3, ElementType::i64};
  check("gather", {{{2, 4, n}, {2, 4, 3}}, index},
        [](Builder& b, const Values& x) { return b.gather(x[0], {x[1]}, {1}); });
  check("gather, joint", {{{4, 3, n}, {4, 3, 2}}, index, other},
        [](Builder& b, const Values& x) { return b.gather(x[0], {x[1], x[2]}, {0, 1}); });
  for (const Combinator& by : {sum, product, largest, smallest})
    check("scatter", {{{m, 2, n}, {3, 2, 2}}, {{4, n}, {4, 2}}, index},
          [&](Builder& b, const Values& x) { return b.scatter(x[0], x[1], {x[2]}, by, {0}); });
  check("scatter, joint", {{{m, 2, n}, {3, 2, 2}}, {{4, 3, n}, {4, 3, 2}}, index, other},
        [](Builder& b, const Values& x) { return b.scatter(x[0], x[1], {x[2], x[3]}, sum, {0, 1}); });
  check("scatter by multiply between axes",
        {{{2, m, 2, n}, {2, 3, 2, 2}}, {{2, 4, 3, n}, {2, 4, 3, 2}}, index, other},
        [](Builder& b, const Values& x) { return b.scatter(x[0], x[1], {x[2], x[3]}, product, {1, 2}); });
  check("scatter by multiply of one", {{{n}, {2}}, {{4, n}, {4, 2}}, {{}, {}, 0, 4, ElementType::i32}},
        [](Builder& b, const Values& x) { return b.scatter(x[0], x[1], {x[2]}, product, {0}); });
}

TEST_CASE("an update that a later one replaces is lost, and so has no derivative") {
  Module module("m");
  const Function* second =
      define(module, "second", {f64(), f64()}, [](Builder&, const Values& x) { return x[1]; });
  const Type places = Type::tensor(ElementType::i64, {3});
  const Function* f = define(
      module, "f", {f64({3, n}), f64({4, n}), places},
      [&](Builder& b, const Values& x) { return b.scatter(x[0], x[1], {x[2]}, {Opcode::add, second}, {0}); });
  Tensor at(ElementType::i64, {3});
  for (const std::size_t i : {0UL, 1UL, 2UL}) at.set(i, i == 1 ? std::int64_t{3} : std::int64_t{1});
  std::mt19937_64 random(11);
  const Tensor updates = draw(random, element, {3, 2}, -2, 2), whole = draw(random, element, {4, 2}, -2, 2);
  const Disagreement d = disagreement(module, *f, {updates, whole, at}, 2);
  CHECK_MESSAGE(!d.failure, d.failure.value_or(""));
  CHECK_MESSAGE(d.worst < 1e-6, d.where);
}

TEST_CASE("derivatives of reductions") {
  const Input matrix{{n, 4, 2}, {3, 4, 2}}, initial{{}, {}, 0.5, 1.5}, none{{n, 4, 2}, {0, 4, 2}};
  for (const Input& input : {matrix, none})
    for (const Integers& axes : {Integers{1}, Integers{0, 2}, Integers{2, 0}, Integers{0, 1, 2}, Integers{}})
      for (const Combinator& by : {sum, product, largest, smallest})
        check("reduce", {input, initial},
              [&](Builder& b, const Values& x) { return b.reduce(x[0], by, x[1], axes); });
  for (const Combinator& by : {sum, product, largest, smallest})
    for (const std::int64_t axis : {0, 1, 2})
      for (const Input& input : {matrix, none})
        check("scan", {input}, [&](Builder& b, const Values& x) { return b.scan(x[0], by, axis); });
}

TEST_CASE("a product with zeros among its factors") {
  Module module("m");
  const Function* f = define(module, "f", {f64({n})}, [](Builder& b, const Values& x) {
    return b.reduce(x[0], product, b.constant(element, 1), {0});
  });
  Tensor x(element, {4});
  for (const std::size_t i : {0UL, 2UL}) x.set(i, 2.0);
  x.set(3, 3.0);
  const Disagreement d = disagreement(module, *f, {x}, 2);
  CHECK_MESSAGE(!d.failure, d.failure.value_or(""));
  CHECK_MESSAGE(d.worst < 1e-6, d.where);
}

TEST_CASE("a scatter by multiply with zeros among the factors of an element") {
  const std::vector<std::vector<double>> updates{{2, 0, 3, 5}, {0, 0, 3, 5}, {2, 4, 3, 0}};
  for (const auto& factors : updates)
    for (const double first : {0.0, 1.5}) {
      Module module("m");
      const Function* f =
          define(module, "f", {f64({n}), f64({3}), Type::tensor(ElementType::i32, {n})},
                 [](Builder& b, const Values& x) { return b.scatter(x[0], x[1], {x[2]}, product, {0}); });
      Tensor u(element, {4}), x(element, {3}), at(ElementType::i32, {4});
      for (std::size_t i = 0; i < 4; ++i) u.set(i, factors[i]);
      for (std::size_t i = 0; i < 3; ++i) x.set(i, i == 1 ? first : 2.0);
      for (std::size_t i = 0; i < 4; ++i) at.set(i, std::int64_t{i == 2 ? 2 : 1});
      const Disagreement d = disagreement(module, *f, {u, x, at}, 2);
      CHECK_MESSAGE(!d.failure, d.failure.value_or(""));
      CHECK_MESSAGE(d.worst < 1e-6, d.where);
    }
}

TEST_CASE("reductions and scans by a function") {
  for (const bool scans : {false, true}) {
    Module module("m");
    // a b / (a + b) and its like are associative; so is log(exp a + exp b).
    const Function* inner = define(module, "inner", {f64()},
                                   [](Builder& b, const Values& x) { return b.unary(Opcode::exp, x[0]); });
    const Function* combine = define(module, "combine", {f64(), f64()}, [&](Builder& b, const Values& x) {
      return b.unary(Opcode::log, b.add(b.apply(inner, {x[0]}), b.unary(Opcode::exp, x[1])));
    });
    const Function* f = define(module, "f", {f64({n, 3}), f64()}, [&](Builder& b, const Values& x) {
      const Combinator by{Opcode::add, combine};
      return scans ? b.add(b.scan(x[0], by, 1), x[1]) : b.reduce(x[0], by, x[1], {0, 1});
    });
    std::mt19937_64 random(3);
    const Disagreement d =
        disagreement(module, *f, {draw(random, element, {2, 3}, -1, 1), draw(random, element, {}, -1, 1)}, 2);
    CHECK_MESSAGE(!d.failure, d.failure.value_or(""));
    CHECK_MESSAGE(d.worst < 1e-6, d.where);
  }
}

TEST_CASE("derivatives of dot") {
  struct Dot {
    Input left, right;
    AxisPairs contract, batch;
  };
  const Dot cases[]{
      {{{3}, {3}}, {{3}, {3}}, {{0, 0}}, {}},
      {{{n, 3}, {2, 3}}, {{3, 4}, {3, 4}}, {{1, 0}}, {}},
      {{{n, 3}, {0, 3}}, {{3, 4}, {3, 4}}, {{1, 0}}, {}},
      {{{3, n}, {3, 2}}, {{4, 3}, {4, 3}}, {{0, 1}}, {}},
      {{{5, n, 3}, {5, 2, 3}}, {{5, 3, 4}, {5, 3, 4}}, {{2, 1}}, {{0, 0}}},
      {{{3, 5, n}, {3, 5, 2}}, {{4, 3, 5}, {4, 3, 5}}, {{0, 1}}, {{1, 2}}},
      {{{2, 3, n, 4}, {2, 3, 5, 4}}, {{4, 6, 3, 2}, {4, 6, 3, 2}}, {{1, 2}, {3, 0}}, {{0, 3}}},
      {{{2, 3, n, 4}, {2, 3, 5, 4}}, {{4, 6, 3, 2}, {4, 6, 3, 2}}, {{3, 0}, {1, 2}}, {{0, 3}}},
      {{{n}, {2}}, {{3}, {3}}, {}, {}},
      {{{n, 2}, {3, 2}}, {{2, n}, {2, 3}}, {}, {{0, 1}, {1, 0}}},
      {{{n, 3}, {2, 3}}, {{3, n}, {3, 2}}, {{1, 0}}, {{0, 1}}},
  };
  for (const Dot& one : cases)
    check("dot", {one.left, one.right},
          [&](Builder& b, const Values& x) { return b.dot(x[0], x[1], one.contract, one.batch); });
}

/// The sum of the squares of all tensors in a value, each with a weight of its own.
Value* weighted_squares(Builder& b, Value* value, double& weight) {
  if (value->type().is_tensor())
    return b.multiply(b.multiply(value, value), b.constant(value->type().element(), weight += 1));
  Value* sum = nullptr;
  for (std::size_t i = 0; i < value->type().component_count(); ++i) {
    Value* part = weighted_squares(b, b.extract(value, static_cast<std::int64_t>(i)), weight);
    sum = sum == nullptr ? part : b.add(sum, part);
  }
  return sum;
}

TEST_CASE("derivatives of aggregates, of their components, and of what is inserted at each position") {
  const std::vector<Input> scalars(6, Input{{}, {}});
  for (std::int64_t position = 0; position < 3; ++position)
    check("insert", scalars, [&](Builder& b, const Values& x) {
      Value* whole = b.tuple({x[0], b.tuple({x[1], x[2]}), x[3]});
      Value* part = position == 1 ? b.tuple({x[4], x[5]}) : b.multiply(x[4], x[5]);
      double weight = 0;
      Value* changed = b.create(Opcode::insert, {part, whole}, {Integers{position}});
      return b.add(weighted_squares(b, changed, weight), weighted_squares(b, whole, weight));
    });
}
