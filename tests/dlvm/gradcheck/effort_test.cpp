#include "dlvm/gradcheck/effort.h"

#include <doctest/doctest.h>

#include <functional>

#include "tests/dlvm/interpret/build.h"

using namespace test;
using Arguments = std::vector<Value*>;

namespace {

double spent(const Built& built, const std::vector<RuntimeValue>& inputs) {
  Effort effort;
  int instructions = 0;
  effort.before_instruction = [&] { ++instructions; };
  InterpretOptions options;
  options.proceed = std::bind_front(&Effort::proceed, &effort);
  REQUIRE(built.run(inputs, options));
  CHECK(instructions == 1);
  return effort.spent;
}

}  // namespace

TEST_CASE("an instruction costs a hundred, and one for each element that it reads and writes") {
  const Built sum({f32({3, 4}), f32({4})}, [](Builder& b, const Arguments& a) { return b.add(a[0], a[1]); });
  CHECK(spent(sum, {test::f32({3, 4}, {}), test::f32({4}, {})}) == 100 + 12 + 12 + 4);
  const Built pair({f32({5})}, [](Builder& b, const Arguments& a) { return b.tuple({a[0], a[0]}); });
  CHECK(spent(pair, {test::f32({5}, {})}) == 100 + 5 + 5);
}

TEST_CASE("an element of a product costs a sixteenth more for each product that it sums") {
  const Built dot({f32({2, 16}), f32({16, 3})}, [](Builder& b, const Arguments& a) {
    return b.create(Opcode::dot, {a[0], a[1]}, {Attribute(), Attribute()});
  });
  CHECK(spent(dot, {test::f32({2, 16}, {}), test::f32({16, 3}, {})}) == 100 + 6 * (1 + 16 / 16.0) + 32 + 48);
  const Built convolve({f32({2, 4, 9}), f32({6, 4, 8})},
                       [](Builder& b, const Arguments& a) { return b.convolve(a[0], a[1], {WindowAxis{}}); });
  CHECK(spent(convolve, {test::f32({2, 4, 9}, {}), test::f32({6, 4, 8}, {})}) ==
        100 + 2 * 6 * 2 * (1 + 4 * 8 / 16.0) + 72 + 192);
}

TEST_CASE("an element of a result of windows costs one more for each tap") {
  const Built window({f32({9})}, [](Builder& b, const Arguments& a) {
    return b.reduce_window(a[0], Combinator{Opcode::max}, b.constant(ElementType::f32, 0),
                           {WindowAxis{9, 8}});
  });
  CHECK(spent(window, {test::f32({9}, {})}) == 100 + 2 * (1 + 8) + 9 + 1);
}

TEST_CASE("a run ends before the instruction with which more would be spent") {
  const Built twice({f32({5})}, [](Builder& b, const Arguments& a) {
    return b.unary(Opcode::exp, b.unary(Opcode::exp, a[0]));
  });
  const auto runs = [&](double limit) {
    Effort effort;
    effort.limit = limit;
    InterpretOptions options;
    options.proceed = std::bind_front(&Effort::proceed, &effort);
    const auto result = twice.run({test::f32({5}, {})}, options);
    CHECK((!result && result.error->kind == InterpretError::Kind::stopped) == effort.is_over());
    return static_cast<bool>(result);
  };
  CHECK(runs(2 * 110));
  CHECK(!runs(2 * 110 - 1));
}
