#include "dlvm/gradcheck/effort.h"

#include <doctest/doctest.h>

#include "tests/dlvm/interpret/build.h"

using namespace test;
using Arguments = std::vector<Value*>;

namespace {

double spent(const Built& built, const std::vector<RuntimeValue>& inputs) {
  Effort effort;
  int instructions = 0;
  effort.after_instruction = [&] { ++instructions; };
  InterpretOptions options;
  options.observe = [&](const Instruction& instruction, std::span<const RuntimeValue> operands,
                        const RuntimeValue& result) { effort.observe(instruction, operands, result); };
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

TEST_CASE("an element of a product costs an eighth more for each product that it sums") {
  const Built dot({f32({2, 16}), f32({16, 3})}, [](Builder& b, const Arguments& a) {
    return b.create(Opcode::dot, {a[0], a[1]}, {Attribute(), Attribute()});
  });
  CHECK(spent(dot, {test::f32({2, 16}, {}), test::f32({16, 3}, {})}) == 100 + 6 * (1 + 16 / 8.0) + 32 + 48);
}
