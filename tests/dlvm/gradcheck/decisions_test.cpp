#include "dlvm/gradcheck/decisions.h"

#include <doctest/doctest.h>

#include "tests/dlvm/interpret/build.h"

using namespace test;
using Arguments = std::vector<Value*>;

namespace {

std::uint64_t decisions(const Built& built, const std::vector<RuntimeValue>& inputs) {
  Decisions decisions;
  InterpretOptions options;
  options.observe = [&](const Instruction& instruction, std::span<const RuntimeValue> operands,
                        const RuntimeValue& result) { decisions.observe(instruction, operands, result); };
  REQUIRE(built.run(inputs, options));
  return decisions.fingerprint();
}

/// Whether two vectors lead to the same decisions.
template <typename Body>
bool same(const std::vector<double>& one, const std::vector<double>& other, Body body) {
  const auto count = static_cast<std::int64_t>(one.size());
  const Built built({f32({count})}, [&](Builder& b, const Arguments& a) { return body(b, a[0]); });
  return decisions(built, {test::f32({count}, one)}) == decisions(built, {test::f32({count}, other)});
}

auto unary(Opcode opcode) {
  return [opcode](Builder& b, Value* x) { return b.unary(opcode, x); };
}
auto with(Opcode opcode, double right) {
  return [=](Builder& b, Value* x) { return b.binary(opcode, x, b.splat(x->type(), right)); };
}

}  // namespace

TEST_CASE("what is smooth decides nothing") {
  CHECK(same({1, -2}, {3, 4}, unary(Opcode::sin)));
  CHECK(same({1, -2}, {3, 4}, with(Opcode::multiply, 2)));
  CHECK(same({1, -2}, {3, 4}, [](Builder& b, Value* x) { return b.sum(x, {0}); }));
}

TEST_CASE("steps, signs and comparisons decide by the side of a jump") {
  CHECK(same({1.1, -2.9}, {1.9, -2.1}, unary(Opcode::floor)));
  CHECK_FALSE(same({1.1, -2.9}, {2.1, -2.9}, unary(Opcode::floor)));
  CHECK_FALSE(same({1, 2}, {2, 1}, unary(Opcode::floor)));
  CHECK(same({1, -2}, {3, -4}, unary(Opcode::abs)));
  CHECK_FALSE(same({1, -2}, {1, 2}, unary(Opcode::abs)));
  CHECK_FALSE(same({1, 0}, {1, 2}, unary(Opcode::abs)));
  CHECK(same({1, 5}, {2, 4}, with(Opcode::max, 3)));
  CHECK_FALSE(same({1, 5}, {4, 5}, with(Opcode::max, 3)));
  CHECK_FALSE(same({1, 3}, {1, 4}, with(Opcode::min, 3)));
  CHECK(same({1, 5}, {2, 4}, with(Opcode::lessThan, 3)));
  CHECK_FALSE(same({1, 5}, {1, 2}, with(Opcode::lessThan, 3)));
  CHECK(same({1, 4}, {2, 5}, with(Opcode::modulo, 3)));
  CHECK_FALSE(same({1, 4}, {1, 7}, with(Opcode::modulo, 3)));
}

TEST_CASE("each element decides once") {
  for (const Opcode opcode : {Opcode::max, Opcode::modulo}) {
    const Built two({f32({2})}, [&](Builder& b, const Arguments& a) { return with(opcode, 3)(b, a[0]); });
    const Built each({f32({}), f32({})}, [&](Builder& b, const Arguments& a) {
      return b.tuple({with(opcode, 3)(b, a[0]), with(opcode, 3)(b, a[1])});
    });
    CHECK(decisions(two, {test::f32({2}, {1, 7})}) ==
          decisions(each, {test::f32({}, {1}), test::f32({}, {7})}));
  }
}

TEST_CASE("a maximum decides by which elements it is, in each reduction") {
  const auto largest = [](Builder& b, Value* x) {
    return b.reduce(x, Combinator(Opcode::max), b.constant(ElementType::f32, -100), {0});
  };
  CHECK(same({1, 5, 2}, {3, 4, -1}, largest));
  CHECK_FALSE(same({1, 5, 2}, {6, 5, 2}, largest));
  CHECK_FALSE(same({1, 5, 2}, {5, 5, 2}, largest));
}
