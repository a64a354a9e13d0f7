// Results that callers put in the place of a parameter, and that launches write there element by element.
#include "codegen/kernel/memory/update_inputs.h"

#include <doctest/doctest.h>

#include "../scheduled.h"
#include "agreement.h"
#include "codegen/kernel/build/build.h"
#include "codegen/kernel/interpret/interpret.h"
#include "codegen/kernel/text/text.h"
#include "codegen/kernel/verify/verify.h"
#include "codegen/schedule/interpret/interpret_program.h"
#include "compare.h"

namespace kernel_tests {
namespace {

using codegen::kernel::Execution;
using codegen::kernel::NextValue;
using codegen::kernel::Program;
using dlvm::ElementType;
using dlvm::Tensor;

using Pairs = std::vector<NextValue>;

Program built(const dlvm::Function& function) {
  dlvm::Diagnostics diagnostics;
  auto program = codegen::kernel::build(function, diagnostics, {});
  REQUIRE(program);
  return std::move(*program);
}

Pairs updates_of(const dlvm::Function& function, const Pairs& next_values) {
  return codegen::kernel::find_updates(built(function), next_values);
}

/// The program in which everything is updated in place that may be.
Program updating(const dlvm::Function& function, const Pairs& next_values) {
  Program program = built(function);
  const Pairs updates = codegen::kernel::find_updates(program, next_values);
  codegen::kernel::update_inputs(program, updates, next_values);
  CHECK(verify(program).value_or("") == "");
  return program;
}

using kernel_tests::values_of;

Tensor counted(std::int64_t count, double first) {
  Tensor tensor(ElementType::f32, {count});
  for (std::size_t i = 0; i < tensor.size(); ++i) tensor.set(i, first + static_cast<double>(i));
  return tensor;
}

/// The program's results by each interpreter.
std::vector<Execution> executions(const Program& program, const std::vector<Tensor>& inputs) {
  return {codegen::kernel::interpret(program, inputs, {}),
          codegen::schedule::interpret(test::scheduled_for_cpu(program, {32u}), inputs, {}, 1),
          codegen::schedule::interpret(test::scheduled_for_gpu(program, 80), inputs, {}, 1)};
}

dlvm::Value* half(Scene& s, dlvm::Value* value) {
  return s.b.multiply(value, s.b.constant(ElementType::f32, 0.5));
}

TEST_CASE("a parameter and its moment are updated where they are, with the same bits") {
  Scene s({f32({40}), f32({40}), f32({40})});
  dlvm::Value* moment = s.b.add(half(s, s[1]), s[2]);
  const dlvm::Function& function = s.results({s.b.subtract(s[0], moment), moment});
  const Program program = updating(function, {{0, 0, true}, {1, 1, true}});
  CHECK(print(program).find("updates a\n") != std::string::npos);
  CHECK(print(program).find("updates b\n") != std::string::npos);
  const std::vector<Tensor> inputs{counted(40, 1), counted(40, -7), counted(40, 3)};
  const auto expected = codegen::kernel::interpret(built(function), inputs, {});
  for (const Execution& run : executions(program, inputs)) {
    REQUIRE(!run.error);
    for (std::size_t r = 0; r < 2; ++r) CHECK(values_of(run.outputs[r]) == values_of(expected.outputs[r]));
  }
}

TEST_CASE("what is read again, elsewhere or in part is not updated") {
  const Pairs one{{0, 0}};
  Scene sum({f32({40})});
  dlvm::Value* next = half(sum, sum[0]);
  CHECK(updates_of(sum.results({next, sum.b.sum(next, {0})}), one) == one);
  Scene backwards({f32({40})});
  CHECK(updates_of(backwards.results({backwards.b.add(half(backwards, backwards[0]),
                                                      backwards.b.reverse(backwards[0], {0}))}),
                   one)
            .empty());
  Scene other({f32({40}), f32({40})});
  CHECK(updates_of(other.results({half(other, other[1])}), one).empty());
  Scene few({f32({4})});
  CHECK(updates_of(few.results({half(few, few[0])}), one).empty());
}

TEST_CASE("an input that may be the memory of a parameter is read before") {
  const Pairs one{{0, 0}};
  Scene direct({f32({40}), f32({40})});
  CHECK(updates_of(direct.results({direct.b.add(half(direct, direct[0]), direct[1])}), one).empty());
  Scene scalar({f32({40}), f32({})});
  CHECK(updates_of(scalar.results({scalar.b.multiply(scalar[0], scalar[1])}), one) == one);
  CHECK(updates_of(*direct.function, {{0, 0, true}}).size() == 1);
}

TEST_CASE("nothing is updated before or where something may fail") {
  Scene s({f32({40}), f32({40}), i32({40})});
  dlvm::Value* picked = s.b.gather(s[1], {s[2]}, {0});
  CHECK(updates_of(s.results({s.b.add(half(s, s[0]), picked)}), {{0, 0, true}}).empty());
  Scene before({f32({40}), f32({40}), i32({40})});
  dlvm::Value* sum = before.b.sum(before.b.gather(before[1], {before[2]}, {0}), {0});
  const dlvm::Function& function = before.results({before.b.add(half(before, before[0]), sum)});
  const Program program = updating(function, {{0, 0}});
  CHECK(print(program).find("updates a\n") != std::string::npos);
  Tensor index(ElementType::i32, {40});
  index.set(std::size_t{3}, 40.0);
  for (const Execution& run : executions(program, {counted(40, 1), counted(40, 2), index})) {
    CHECK(run.error);
    CHECK(values_of(run.outputs[0]) == values_of(counted(40, 1)));
  }
}

}  // namespace
}  // namespace kernel_tests
