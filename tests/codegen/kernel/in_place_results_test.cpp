// Results that callers put in the place of a parameter, and that replace elements of it.
#include "codegen/kernel/build/in_place_results.h"

#include <doctest/doctest.h>

#include "../scheduled.h"
#include "agreement.h"
#include "codegen/kernel/interpret/interpret.h"
#include "codegen/kernel/text/text.h"
#include "codegen/kernel/verify/verify.h"
#include "codegen/schedule/interpret/interpret_program.h"
#include "compare.h"

namespace kernel_tests {
namespace {

using codegen::kernel::BuildOptions;
using codegen::kernel::Execution;
using codegen::kernel::NextValue;
using codegen::kernel::Program;
using codegen::kernel::Value;
using dlvm::Combinator;
using dlvm::ElementType;
using dlvm::Opcode;
using dlvm::Tensor;

Program built(const dlvm::Function& function, std::vector<NextValue> next_values) {
  dlvm::Diagnostics diagnostics;
  BuildOptions options;
  options.next_values = std::move(next_values);
  auto program = codegen::kernel::build(function, diagnostics, options);
  REQUIRE(program);
  CHECK(verify(*program).value_or("") == "");
  return std::move(*program);
}

/// The parameters whose memory outputs are in, by the output.
std::vector<std::optional<std::uint32_t>> updated_inputs(const Program& program) {
  std::vector<std::optional<std::uint32_t>> result;
  for (const Value& value : program.values)
    if (value.place == Value::Place::output) result.push_back(value.updated_input);
  return result;
}

dlvm::Value* added(Scene& s, dlvm::Value* updates, dlvm::Value* to, dlvm::Value* at) {
  return s.b.scatter(updates, to, {at}, Combinator{Opcode::add, nullptr}, {0});
}

using kernel_tests::values_of;

Tensor numbers(ElementType type, std::vector<std::int64_t> extents, std::vector<double> values) {
  Tensor tensor(type, std::move(extents));
  for (std::size_t i = 0; i < values.size(); ++i) tensor.set(i, values[i]);
  return tensor;
}

/// The program's results by each interpreter.
std::vector<Execution> executions(const Program& program, const std::vector<Tensor>& inputs) {
  const dlvm::Extent::Bindings dimensions{{"N", inputs[1].extents()[0]}};
  return {codegen::kernel::interpret(program, inputs, dimensions),
          codegen::schedule::interpret(test::scheduled_for_cpu(program, {32u}), inputs, dimensions, 1),
          codegen::schedule::interpret(test::scheduled_for_gpu(program, 80), inputs, dimensions, 1)};
}

/// A state of four numbers, and a program that adds numbers to some of them, and gives their sum before.
Program program_of_one_state(Scene& s) {
  return built(s.results({s.b.sum(s[0], {0}), added(s, s[1], s[0], s[2])}), {{0, 1}});
}

TEST_CASE("a result that changes elements of a parameter is in its memory") {
  Scene s({f32({4}), f32({N}), i32({N})});
  const Program program = program_of_one_state(s);
  CHECK(updated_inputs(program) == std::vector<std::optional<std::uint32_t>>{std::nullopt, 0});
  CHECK(print(program).find("updates a") != std::string::npos);
  const std::vector<Tensor> inputs{numbers(ElementType::f32, {4}, {1, 2, 3, 4}),
                                   numbers(ElementType::f32, {3}, {10, 20, 30}),
                                   numbers(ElementType::i32, {3}, {3, 0, 3})};
  for (const Execution& run : executions(program, inputs)) {
    REQUIRE(!run.error);
    CHECK(run.outputs[0].real(0) == 10);
    CHECK(values_of(run.outputs[1]) == std::vector<double>{21, 2, 3, 44});
  }
}

TEST_CASE("after an index outside of its range the parameter is as it was") {
  Scene s({f32({4}), f32({N}), i32({N})});
  const Program program = program_of_one_state(s);
  const std::vector<Tensor> inputs{numbers(ElementType::f32, {4}, {1, 2, 3, 4}),
                                   numbers(ElementType::f32, {2}, {10, 20}),
                                   numbers(ElementType::i32, {2}, {0, 4})};
  for (const Execution& run : executions(program, inputs)) {
    CHECK(run.error);
    CHECK(values_of(run.outputs[1]) == std::vector<double>{1, 2, 3, 4});
  }
}

TEST_CASE("an index of axes with different extents is checked for each before anything is updated") {
  Scene s({f32({8}), f32({N}), i32({N}), f32({4})});
  const Program program =
      built(s.results({added(s, s[1], s[0], s[2]), added(s, s[1], s[3], s[2])}), {{0, 0}, {3, 1}});
  CHECK(updated_inputs(program) == std::vector<std::optional<std::uint32_t>>{0, 3});
  const auto run = [&](double at) {
    return executions(program, {numbers(ElementType::f32, {8}, {1, 2, 3, 4, 5, 6, 7, 8}),
                                numbers(ElementType::f32, {1}, {10}), numbers(ElementType::i32, {1}, {at}),
                                numbers(ElementType::f32, {4}, {10, 20, 30, 40})});
  };
  for (const Execution& inside : run(3)) {
    REQUIRE(!inside.error);
    CHECK(inside.outputs[0].real(3) == 14);
    CHECK(inside.outputs[1].real(3) == 50);
  }
  for (const Execution& outside : run(5)) {
    CHECK(outside.error);
    CHECK(values_of(outside.outputs[0]) == std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8});
    CHECK(values_of(outside.outputs[1]) == std::vector<double>{10, 20, 30, 40});
  }
}

TEST_CASE("the updates themselves check no index again") {
  Scene s({f32({4}), f32({N}), i32({N})});
  const Program program = program_of_one_state(s);
  std::size_t checks = 0;
  for (const auto& kernel : program.kernels) {
    const std::string text = codegen::kernel::print(kernel);
    for (std::size_t at = text.find("check"); at != std::string::npos; at = text.find("check", at + 1))
      checks += text.substr(at, 6) == "check ";
  }
  CHECK(checks == 1);
}

TEST_CASE("parameters are updated when all has been read, also by each other's updates") {
  Scene s({f32({4}), f32({N}), i32({N}), f32({4})});
  dlvm::Value* of_other = s.b.slice(s[3], {0}, {2});
  dlvm::Value* of_first = s.b.slice(s[0], {2}, {4});
  dlvm::Value* places = s.b.iota({2}, 0, ElementType::i32);
  dlvm::Value* first = added(s, of_other, added(s, s[1], s[0], s[2]), places);
  const Program program = built(s.results({first, added(s, of_first, s[3], places), s[0]}), {{0, 0}, {3, 1}});
  CHECK(updated_inputs(program) == std::vector<std::optional<std::uint32_t>>{0, 3, std::nullopt});
  const std::vector<Tensor> inputs{numbers(ElementType::f32, {4}, {1, 2, 3, 4}),
                                   numbers(ElementType::f32, {1}, {10}), numbers(ElementType::i32, {1}, {1}),
                                   numbers(ElementType::f32, {4}, {100, 200, 300, 400})};
  for (const Execution& run : executions(program, inputs)) {
    REQUIRE(!run.error);
    CHECK(values_of(run.outputs[0]) == std::vector<double>{101, 212, 3, 4});
    CHECK(values_of(run.outputs[1]) == std::vector<double>{103, 204, 300, 400});
    CHECK(values_of(run.outputs[2]) == std::vector<double>{1, 2, 3, 4});
  }
}

TEST_CASE("what else is read, or is made of another parameter, is copied") {
  const std::vector<std::optional<std::uint32_t>> none{std::nullopt, std::nullopt};
  Scene read({f32({4}), f32({N}), i32({N})});
  dlvm::Value* next = added(read, read[1], read[0], read[2]);
  CHECK(updated_inputs(built(read.results({read.b.sum(next, {0}), next}), {{0, 1}})) == none);
  Scene other({f32({4}), f32({N}), i32({N}), f32({4})});
  dlvm::Value* of_other = added(other, other[1], other[3], other[2]);
  CHECK(updated_inputs(built(other.results({other.b.sum(other[0], {0}), of_other}), {{0, 1}})) == none);
  Scene twice({f32({4}), f32({N}), i32({N})});
  dlvm::Value* same = added(twice, twice[1], twice[0], twice[2]);
  CHECK(updated_inputs(built(twice.results({same, same}), {{0, 1}})) == none);
  Scene elsewhere({f32({4}), f32({N}), i32({N})});
  dlvm::Value* plain = elsewhere.b.add(elsewhere[0], elsewhere[0]);
  CHECK(updated_inputs(built(elsewhere.results({plain, elsewhere[0]}), {{0, 0}})) == none);
}

TEST_CASE("a program that updates parameters is read as it is printed") {
  Scene s({f32({4}), f32({N}), i32({N})});
  const Program program = program_of_one_state(s);
  std::string head = print(program);
  head = head.substr(0, head.find("\n\n"));
  std::string error;
  const auto read = codegen::kernel::parse_program(head, program.kernels, error);
  REQUIRE_MESSAGE(read, error);
  CHECK(print(*read) == print(program));
  const auto with = [&](std::string_view from, std::string_view to) {
    std::string changed = head;
    const std::size_t at = changed.find(from);
    REQUIRE(at != std::string::npos);
    changed.replace(at, from.size(), to);
    std::string why;
    CHECK(!codegen::kernel::parse_program(changed, program.kernels, why));
    return why;
  };
  CHECK(with("updates a", "updates result").find("no input is called 'result'") != std::string::npos);
  CHECK(with("updates a", "updates nothing").find("no input is called 'nothing'") != std::string::npos);
  CHECK(with("updates a", "updates b").find("have different types") != std::string::npos);
}

}  // namespace
}  // namespace kernel_tests
