#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tests/dlvm/interpret/build.h"

using namespace test;
using Kind = InterpretError::Kind;
using Arguments = std::vector<Value*>;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity(),
                 NaN = std::numeric_limits<double>::quiet_NaN();
const Extent N = Extent::dimension("N"), M = Extent::dimension("M");

using Numbers = std::vector<double>;

}  // namespace

TEST_CASE("broadcasting") {
  const Built built({f32({N, 2}), f32({2}), f32({})},
                    [](Builder& b, const Arguments& a) { return b.add(b.multiply(a[0], a[1]), a[2]); });
  CHECK(result_of(built, {f32({2, 2}, {1, 2, 3, 4}), f32({2}, {10, 100}), f32({}, {1})}) ==
        Numbers{11, 201, 31, 401});
  const Built column({f32({2, 1}), f32({1, 3})},
                     [](Builder& b, const Arguments& a) { return b.add(a[0], a[1]); });
  CHECK(result_of(column, {f32({2, 1}, {1, 2}), f32({1, 3}, {10, 20, 30})}) ==
        Numbers{11, 21, 31, 12, 22, 32});
}

TEST_CASE("shape instructions") {
  const auto x = f32({2, 3}, {1, 2, 3, 4, 5, 6});
  const auto on_x = [&](auto body) {
    return result_of(Built({f32({2, 3})}, [&](Builder& b, const Arguments& a) { return body(b, a[0]); }),
                     {x});
  };
  CHECK(on_x([](Builder& b, Value* v) { return b.transpose(v, {1, 0}); }) == Numbers{1, 4, 2, 5, 3, 6});
  CHECK(on_x([](Builder& b, Value* v) { return b.reverse(v, {1}); }) == Numbers{3, 2, 1, 6, 5, 4});
  CHECK(on_x([](Builder& b, Value* v) { return b.slice(v, {0, 0}, {2, 3}, {1, 2}); }) == Numbers{1, 3, 4, 6});
  CHECK(on_x([](Builder& b, Value* v) { return b.slice(v, {1, 1}, {2, 3}); }) == Numbers{5, 6});
  CHECK(on_x([](Builder& b, Value* v) { return b.concatenate({v, v}, 1); }) ==
        Numbers{1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6});
  CHECK(on_x([](Builder& b, Value* v) {
          return b.pad(v, {{1, 0}, {0, 1}}, b.constant(ElementType::f32, 9));
        }) == Numbers{9, 9, 9, 9, 1, 2, 3, 9, 4, 5, 6, 9});
  CHECK(on_x([](Builder& b, Value* v) { return b.shape_cast(v, {6}); }) == Numbers{1, 2, 3, 4, 5, 6});
  CHECK(on_x([](Builder& b, Value*) { return b.iota({2, 3}, 0, ElementType::i32); }) ==
        Numbers{0, 0, 0, 1, 1, 1});
}

TEST_CASE("reductions, scans and extrema") {
  const auto x = f32({2, 3}, {1, 5, 3, 4, 2, 4});
  const auto on_x = [&](auto body) {
    return result_of(Built({f32({2, 3})}, [&](Builder& b, const Arguments& a) { return body(b, a[0]); }),
                     {x});
  };
  CHECK(on_x([](Builder& b, Value* v) { return b.sum(v, {0}); }) == Numbers{5, 7, 7});
  CHECK(on_x([](Builder& b, Value* v) { return b.sum(v, {1, 0}); }) == Numbers{19});
  CHECK(on_x([](Builder& b, Value* v) {
          return b.reduce(v, {Opcode::max, nullptr}, b.constant(ElementType::f32, 4.5), {1});
        }) == Numbers{5, 4.5});
  CHECK(on_x([](Builder& b, Value* v) { return b.scan(v, {Opcode::add, nullptr}, 1); }) ==
        Numbers{1, 6, 9, 4, 6, 10});
  CHECK(on_x([](Builder& b, Value* v) { return b.create(Opcode::argmax, {v}, {Integers{1}}); }) ==
        Numbers{1, 0});
  CHECK(on_x([](Builder& b, Value* v) { return b.create(Opcode::argmin, {v}, {Integers{0}}); }) ==
        Numbers{0, 1, 0});
  const Built argmax({f32({3})}, [](Builder& b, const Arguments& a) {
    return b.create(Opcode::argmax, {a[0]}, {Integers{0}});
  });
  CHECK(result_of(argmax, {f32({3}, {1, NaN, inf})}) == Numbers{1});
}

TEST_CASE("sorts, recurrences, bits and properties") {
  const auto x = f32({2, 3}, {NaN, 5, -0.0, 0, NaN, -inf});
  const auto on_x = [&](auto body) {
    return result_of(Built({f32({2, 3})}, [&](Builder& b, const Arguments& a) { return body(b, a[0]); }),
                     {x});
  };
  const Attribute descending = Combinator{Opcode::greaterThan, nullptr};
  // NaN is above all numbers, and equal elements keep their order.
  CHECK(on_x([](Builder& b, Value* v) {
          return b.create(Opcode::argsort, {v}, {Attribute(), Integers{1}});
        }) == Numbers{2, 1, 0, 2, 0, 1});
  CHECK(on_x([&](Builder& b, Value* v) {
          return b.create(Opcode::argsort, {v}, {descending, Integers{1}});
        }) == Numbers{0, 1, 2, 1, 0, 2});
  CHECK(on_x([](Builder& b, Value* v) {
          Value* zero = b.multiply(b.iota({2, 3}, 0, ElementType::f32), b.constant(ElementType::f32, 0));
          Value* equal = b.select(zero, zero, b.unary(Opcode::isNaN, v));
          return b.create(Opcode::argsort, {equal}, {Attribute(), Integers{1}});
        }) == Numbers{0, 1, 2, 0, 1, 2});
  CHECK(on_x([](Builder& b, Value* v) {
          Value* finite = b.select(v, b.constant(ElementType::f32, 7), b.unary(Opcode::isFinite, v));
          return b.create(Opcode::sort, {finite}, {Attribute(), Integers{1}});
        }) == Numbers{0, 5, 7, 0, 7, 7});
  for (const std::int64_t part : {0, 1})
    CHECK(on_x([&](Builder& b, Value* v) {
            Value* finite = b.select(v, b.constant(ElementType::f32, 7), b.unary(Opcode::isFinite, v));
            return b.extract(b.create(Opcode::topk, {finite}, {Shape{2}, Integers{1}}), part);
          }) == (part == 0 ? Numbers{7, 5, 7, 7} : Numbers{0, 1, 1, 2}));
  const Built recurrence({f32({N}), f32({N})}, [](Builder& b, const Arguments& a) {
    return b.create(Opcode::recurrence, {a[0], a[1]}, {Integers{0}});
  });
  CHECK(result_of(recurrence, {f32({4}, {inf, 2, 0, 3}), f32({4}, {1, 10, 5, 1})}) == Numbers{1, 12, 5, 16});
  CHECK(result_of(recurrence, {f32({0}, {}), f32({0}, {})}).empty());
  CHECK(on_x([](Builder& b, Value*) {
          return b.create(Opcode::bitCast, {b.constant(ElementType::f32, 1)}, {ElementType::i32});
        }) == Numbers{0x3f800000});
  CHECK(on_x([](Builder& b, Value* v) { return b.create(Opcode::rank, {v}); }) == Numbers{2});
  CHECK(on_x([](Builder& b, Value* v) { return b.create(Opcode::shape, {v}); }) == Numbers{2, 3});
  CHECK(on_x([](Builder& b, Value* v) { return b.create(Opcode::unitCount, {v}); }) == Numbers{6});
}

TEST_CASE("reduction by a function") {
  Module module("test");
  const Type scalar = Type::scalar(ElementType::f32);
  Function* combine = module.add_function("combine", Type::function({scalar, scalar}, scalar));
  Builder in_combine(*combine->add_entry());
  const auto& a = combine->entry().arguments();
  in_combine.return_(in_combine.add(a[0].get(), a[1].get()));
  Function* f = module.add_function("f", Type::function({f32({N})}, scalar));
  Builder b(*f->add_entry());
  b.return_(b.reduce(f->entry().arguments()[0].get(), {Opcode::add, combine}, b.constant(ElementType::f32, 1),
                     {0}));
  const std::vector<RuntimeValue> inputs{f32({3}, {1, 2, 3})};
  const auto result = interpret(*f, inputs);
  REQUIRE(result);
  CHECK(values(result.value.tensor()) == Numbers{7});
}

TEST_CASE("contractions") {
  const Built product({f32({N, 3}), f32({3, 2})},
                      [](Builder& b, const Arguments& a) { return b.dot(a[0], a[1], {{1, 0}}); });
  CHECK(result_of(product, {f32({2, 3}, {1, 2, 3, 4, 5, 6}), f32({3, 2}, {1, 0, 0, 1, 1, 1})}) ==
        Numbers{4, 5, 10, 11});
  const Built batched({f32({2, 2, 1}), f32({2, 1, 2})},
                      [](Builder& b, const Arguments& a) { return b.dot(a[0], a[1], {{2, 1}}, {{0, 0}}); });
  CHECK(result_of(batched, {f32({2, 2, 1}, {1, 2, 3, 4}), f32({2, 1, 2}, {1, 10, 100, 1000})}) ==
        Numbers{1, 10, 2, 20, 300, 3000, 400, 4000});
  const Built integers({type(ElementType::i8, {2}), type(ElementType::i8, {2})},
                       [](Builder& b, const Arguments& a) { return b.dot(a[0], a[1], {{0, 0}}); });
  CHECK(result_of(integers, {tensor(ElementType::i8, {2}, {100, 100}),
                             tensor(ElementType::i8, {2}, {2, 1})}) == Numbers{44});
}

TEST_CASE("each element of a product is summed from the first factor to the last") {
  for (const std::int64_t columns : {1, 3, 5, 16, 37}) {
    const Built product({type(ElementType::f64, {3, 7}), type(ElementType::f64, {7, columns})},
                        [](Builder& b, const Arguments& a) { return b.dot(a[0], a[1], {{1, 0}}); });
    Tensor left(ElementType::f64, {3, 7}), right(ElementType::f64, {7, columns});
    for (std::size_t i = 0; i < left.size(); ++i) left.set(i, std::sin(static_cast<double>(i)));
    for (std::size_t i = 0; i < right.size(); ++i) right.set(i, std::cos(static_cast<double>(i)));
    Numbers expected;
    const auto width = static_cast<std::size_t>(columns);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < width; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < 7; ++k) sum += left.real(i * 7 + k) * right.real(k * width + j);
        expected.push_back(sum);
      }
    CHECK(result_of(product, {left, right}) == expected);
  }
}

TEST_CASE("gather and scatter") {
  const Built rows({f32({3, 2}), type(ElementType::i32, {N})},
                   [](Builder& b, const Arguments& a) { return b.gather(a[0], {a[1]}, {0}); });
  const auto x = f32({3, 2}, {1, 2, 3, 4, 5, 6});
  CHECK(result_of(rows, {x, i32({2}, {2, 0})}) == Numbers{5, 6, 1, 2});
  const auto outside = rows.run({x, i32({3}, {0, 3, -1})});
  REQUIRE(outside.error);
  CHECK(outside.error->kind == Kind::index);
  CHECK(outside.error->text == "index 3 at [1] is outside 0 upto 3");

  const Built joint({f32({3, 2}), type(ElementType::i32, {2}), type(ElementType::i32, {2})},
                    [](Builder& b, const Arguments& a) { return b.gather(a[0], {a[1], a[2]}, {0, 1}); });
  CHECK(result_of(joint, {x, i32({2}, {2, 0}), i32({2}, {0, 1})}) == Numbers{5, 2});

  const Built add({f32({2, 2}), f32({3, 2}), type(ElementType::i32, {2})},
                  [](Builder& b, const Arguments& a) {
                    return b.scatter(a[0], a[1], {a[2]}, {Opcode::add, nullptr}, {0});
                  });
  CHECK(result_of(add, {f32({2, 2}, {10, 20, 30, 40}), x, i32({2}, {1, 1})}) == Numbers{1, 2, 43, 64, 5, 6});
}

TEST_CASE("extents are bound by arguments and checked") {
  const Built built({f32({2 * N + Extent(1)}), f32({N, M})}, [](Builder& b, const Arguments&) {
    return b.tuple({b.extent(N, ElementType::i64), b.extent(M, ElementType::i64)});
  });
  const auto good = built.run({Tensor(ElementType::f32, {5}), Tensor(ElementType::f32, {2, 0})});
  REQUIRE(good);
  CHECK(good.value.elements()[0].tensor().integer(0) == 2);
  const auto bad = built.run({Tensor(ElementType::f32, {6}), Tensor(ElementType::f32, {2, 0})});
  REQUIRE(bad.error);
  CHECK(bad.error->text == "argument 0: axis 0 has extent 6, not 2*N + 1 = 5");

  const Built linear({f32({3 * N + Extent(1)})},
                     [](Builder& b, const Arguments&) { return b.extent(N, ElementType::i64); });
  CHECK(result_of(linear, {Tensor(ElementType::f32, {7})}) == Numbers{2});
  CHECK(linear.run({Tensor(ElementType::f32, {8})}).error);
  CHECK(linear.run({Tensor(ElementType::f32, {0})}).error);
  CHECK(linear.run({Tensor(ElementType::f64, {7})}).error->text == "argument 0 of @f is not <3*N + 1 x f32>");

  linear.function->requirements.push_back(
      {N, Requirement::Relation::at_most, 2, "N is {left}, at most {right}", {}});
  CHECK(linear.run({Tensor(ElementType::f32, {7})}));
  CHECK(linear.run({Tensor(ElementType::f32, {10})}).error->text == "N is 3, at most 2");
}

TEST_CASE("limits") {
  const Built built({f32({N})}, [](Builder& b, const Arguments& a) {
    return b.sum(b.broadcast(b.pad_shape(a[0], 0), {Extent(1'000'000'000'000), N}), {0, 1});
  });
  CHECK(built.run({Tensor(ElementType::f32, {9})}).error->kind == Kind::memory);
  CHECK(result_of(built, {Tensor(ElementType::f32, {0})}) == Numbers{0});

  Module module("test");
  const Type type = Type::function({f32({})}, f32({}));
  Function* endless = module.add_function("endless", type);
  Builder b(*endless->add_entry());
  b.return_(b.apply(endless, {endless->entry().arguments()[0].get()}));
  const std::vector<RuntimeValue> inputs{f32({}, {1})};
  CHECK(interpret(*endless, inputs).error->kind == Kind::memory);
  Function* external = module.add_function("external", type);
  CHECK(interpret(*external, inputs).error->kind == Kind::external);
}

TEST_CASE("a single instruction folds") {
  const Built built({f32({2})}, [](Builder& b, const Arguments& a) {
    return b.add(a[0], b.constant(ElementType::f32, 1));
  });
  const Instruction& add = *built.function->entry().instructions().front();
  const std::vector<Tensor> operands{f32({2}, {1, 2}), f32({}, {1})};
  const auto folded = fold(add, operands);
  REQUIRE(folded);
  CHECK(values(*folded) == Numbers{2, 3});
  CHECK_FALSE(fold(add, operands, 4));
}

TEST_CASE("check_finite names the value") {
  const Built built({f32({})}, [](Builder& b, const Arguments& a) {
    Value* log = b.unary(Opcode::log, a[0]);
    log->set_name("entropy");
    return b.unary(Opcode::exp, log);
  });
  InterpretOptions options;
  options.check_finite = true;
  CHECK(built.run({f32({}, {0})}, options).error->text == "entropy is not finite");
}

TEST_CASE("a slice up to an extent that 64 bits do not hold is an error") {
  const Built far({f32({N, 0})},
                  [](Builder& b, const Arguments& a) { return b.slice(a[0], {0, 0}, {N * N * N, 0}); });
  const auto outside = far.run({Tensor(ElementType::f32, {std::int64_t{1} << 30, 0})});
  REQUIRE(outside.error);
  CHECK(outside.error->kind == Kind::argument);
}
