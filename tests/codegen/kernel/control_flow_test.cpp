// Programs with branches and loops: text, verifier, lifetimes, and the same results from every interpreter
// and from compiled code.
#include <doctest/doctest.h>

#include <algorithm>

#include "codegen/kernel/interpret/interpret.h"
#include "codegen/kernel/ir/lifetimes.h"
#include "codegen/kernel/memory/plan.h"
#include "codegen/kernel/text/text.h"
#include "codegen/kernel/verify/verify.h"
#include "codegen/read_unit.h"
#include "codegen/schedule/interpret/interpret_program.h"
#include "tests/codegen/scheduled.h"
#include "tests/codegen/target/cpu/jit.h"
#include "tests/codegen/target/emulator/emulated.h"

namespace codegen::kernel {
namespace {

/// Doubles and reverses x until an element is above 100, at most n times; the result and how often that was.
constexpr const char* doubling = R"(program @doubling
  input x: <N x f32>
  input n: i32
  literal none: i32 = 0
  arena t: <N x f32>
  arena u: <N x f32>
  arena count: i32
  arena next: i32
  arena again: bool
  arena most: f32
  arena large: bool
  output y: <N x f32>
  output steps: i32
  launch @copy(x, t)
  launch @number(none, count)
  block done {
    loop repeat {
      launch @less(count, n, again)
      if again {
        launch @double(t, u)
        launch @increase(count, next)
        swap t, u
        swap count, next
        launch @maximum(t, most)
        launch @above(most, large)
        if large {
          jump done
        } else {
          jump repeat
        }
      }
    }
  }
  launch @copy(t, y)
  launch @number(count, steps)

kernel @copy(x: <N x f32>, y: <N x f32> written) {
  stage s over $i0 in N {
    %0: f32 = load x[$i0]
    store %0 to y[$i0]
  }
}

kernel @number(x: i32, y: i32 written) {
  stage s {
    %0: i32 = load x[]
    store %0 to y[]
  }
}

kernel @less(a: i32, b: i32, y: bool written) {
  stage s {
    %0: i32 = load a[]
    %1: i32 = load b[]
    %2: bool = lessThan %0, %1
    store %2 to y[]
  }
}

kernel @double(x: <N x f32>, y: <N x f32> written) {
  stage s over $i0 in N {
    %0: f32 = load x[-$i0 + (N - 1)]
    %1: f32 = add %0, %0
    store %1 to y[$i0]
  }
}

kernel @increase(x: i32, y: i32 written) {
  stage s {
    %0: i32 = load x[]
    %1: i32 = literal 1
    %2: i32 = add %0, %1
    store %2 to y[]
  }
}

kernel @maximum(x: <N x f32>, y: f32 written) {
  stage s over reduced $i0 in N {
    %0: f32 = load x[$i0]
    reduce max (f32 from -inf) of %0
    %1: f32 = state 0
    store %1 to y[]
  }
}

kernel @above(x: f32, y: bool written) {
  stage s {
    %0: f32 = load x[]
    %1: f32 = literal 100
    %2: bool = greaterThan %0, %1
    store %2 to y[]
  }
}
)";

Program parsed(const std::string& text) {
  std::string error;
  auto unit = read_unit(text, error);
  REQUIRE_MESSAGE(unit.has_value(), error);
  return std::move(unit->functions.begin()->second.scheduled.program);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string refusal(const std::string& text) {
  std::string error;
  CHECK_FALSE(read_unit(text, error).has_value());
  return error;
}

std::vector<dlvm::Tensor> inputs(std::vector<double> x, std::int64_t n) {
  dlvm::Tensor tensor(ElementType::f32, {static_cast<std::int64_t>(x.size())});
  for (std::size_t i = 0; i < x.size(); ++i) tensor.set(i, x[i]);
  return {tensor, dlvm::Tensor::scalar(ElementType::i32, n)};
}

/// The steps and the first element of the result.
std::pair<double, double> outcome(const std::vector<dlvm::Tensor>& outputs) {
  return {outputs[1].real(0), outputs[0].real(0)};
}

struct Expected {
  std::vector<double> x;
  std::int64_t n;
  std::pair<double, double> outcome;
};
const Expected cases[] = {{{1, 3}, 0, {0, 1}},    {{1, 3}, 1, {1, 6}},   {{1, 3}, 2, {2, 4}},
                          {{1, 3}, 50, {6, 64}},  {{200, 3}, 9, {1, 6}}, {{1, 2, 64}, 3, {1, 128}},
                          {{-1, -2}, 3, {3, -16}}};

TEST_CASE("a program with control flow prints as it was parsed") {
  CHECK(print(parsed(doubling)) == doubling);
  const std::string fused = replaced(doubling, "block done", "fused block done");
  CHECK(print(parsed(fused)) == fused);
}

/// Runs the cases by compiled code and by schedules, in the slots of their memory plans, and compares with
/// the interpreter of kernels.
void check_targets(const Program& program) {
  CHECK(verify(program).value_or("") == "");
  const test::CompiledProgram compiled(program);
  CHECK(verify(compiled.scheduled().plan, compiled.scheduled().program).value_or("") == "");
  const auto gpu = test::scheduled_for_gpu(program, 80), apart = test::scheduled_for_gpu(program, 80, false);
  const std::unique_ptr<test::EmulatedProgram> emulated[]{std::make_unique<test::EmulatedProgram>(gpu),
                                                          std::make_unique<test::EmulatedProgram>(apart)};
  for (const Expected& expected : cases) {
    const auto given = inputs(expected.x, expected.n);
    const Extent::Bindings dimensions{{"N", static_cast<std::int64_t>(expected.x.size())}};
    const auto meant = outcome(interpret(program, given, dimensions).outputs);
    CHECK(outcome(compiled.run(given, dimensions).outputs) == meant);
    for (const auto& device : emulated) {
      const auto run = device->run({given, dimensions}, 1);
      CHECK(run.error == "");
      CHECK(outcome(run.outputs) == meant);
    }
    for (const auto* scheduled : {&compiled.scheduled(), &gpu, &apart}) {
      const Execution run = schedule::interpret(*scheduled, given, dimensions, 1);
      CHECK(run.error.value_or("") == "");
      CHECK(outcome(run.outputs) == meant);
    }
  }
}

TEST_CASE("every interpreter and compiled code run branches and loops alike") {
  const Program program = parsed(doubling);
  for (const Expected& expected : cases) {
    const Extent::Bindings dimensions{{"N", static_cast<std::int64_t>(expected.x.size())}};
    const Execution run = interpret(program, inputs(expected.x, expected.n), dimensions);
    CHECK(run.error.value_or("") == "");
    CHECK(outcome(run.outputs) == expected.outcome);
  }
  check_targets(program);
}

TEST_CASE("what a loop hands to its next iteration lives throughout the loop") {
  const Program program = parsed(doubling);
  const auto life = lifetimes(program).of_value;
  const auto of = [&](const std::string& name) {
    const auto found = std::ranges::find(program.values, name, &Value::name);
    const Lifetime& lifetime = life[static_cast<std::size_t>(found - program.values.begin())];
    return std::pair(lifetime.first, lifetime.last);
  };
  // 0 copy, 1 number, 2 less, 3 again, 4 double, 5 increase, 6 and 7 swaps, 8 maximum, 9 above, 10 large, 11
  // the jump to the loop.
  CHECK(of("t") == std::pair<std::size_t, std::size_t>(0, 12));
  CHECK(of("u") == of("t"));
  CHECK(of("count") == std::pair<std::size_t, std::size_t>(1, 13));
  CHECK(of("again") == std::pair<std::size_t, std::size_t>(2, 3));
  CHECK(of("large") == std::pair<std::size_t, std::size_t>(9, 10));
  const MemoryPlan plan = plan_memory(program);
  CHECK(plan.slots.size() == 6);
  CHECK(verify(plan, program).value_or("") == "");
}

TEST_CASE("a value that only the loop's later part reads in its next iteration is kept") {
  const Program program = parsed(
      replaced(replaced(doubling, "      launch @less(count, n, again)\n",
                        "      launch @copy(u, y)\n      launch @less(count, n, again)\n"),
               "  launch @number(none, count)\n", "  launch @number(none, count)\n  launch @copy(x, u)\n"));
  check_targets(program);
}

/// Adds the steps to the elements of a copy of x, in place; one element a step.
constexpr const char* adding = R"(program @adding
  input x: <N x f32>
  input n: i32
  literal none: i32 = 0
  arena t: <N x f32>
  arena count: i32
  arena next: i32
  arena again: bool
  output y: <N x f32>
  output steps: i32
  launch @copy(x, t)
  launch @number(none, count)
  loop repeat {
    launch @less(count, n, again)
    if again {
      launch @add(count, t)
      launch @increase(count, next)
      swap count, next
      jump repeat
    }
  }
  launch @copy(t, y)
  launch @number(count, steps)

kernel @copy(x: <N x f32>, y: <N x f32> written) {
  stage s over $i0 in N {
    %0: f32 = load x[$i0]
    store %0 to y[$i0]
  }
}

kernel @number(x: i32, y: i32 written) {
  stage s {
    %0: i32 = load x[]
    store %0 to y[]
  }
}

kernel @less(a: i32, b: i32, y: bool written) {
  stage s {
    %0: i32 = load a[]
    %1: i32 = load b[]
    %2: bool = lessThan %0, %1
    store %2 to y[]
  }
}

kernel @add(i: i32, y: <N x f32> updated) {
  stage s {
    %0: i32 = load i[]
    %1: i32 = check %0 from 0 upto N site 0 at []
    %2: f32 = load y[%1]
    %3: f32 = dataTypeCast %0
    %4: f32 = add %2, %3
    store %4 to y[%1] distinct
  }
}

kernel @increase(x: i32, y: i32 written) {
  stage s {
    %0: i32 = load x[]
    %1: i32 = literal 1
    %2: i32 = add %0, %1
    store %2 to y[]
  }
}
)";

TEST_CASE("an update in place keeps the other elements") {
  const Program program = parsed(adding);
  CHECK(print(program) == adding);
  const test::CompiledProgram compiled(program);
  const auto gpu = test::scheduled_for_gpu(program, 80), apart = test::scheduled_for_gpu(program, 80, false);
  for (std::int64_t n = 0; n <= 3; ++n) {
    const auto given = inputs({5, 7, 9}, n);
    const Extent::Bindings dimensions{{"N", 3}};
    const auto check = [&](const std::vector<dlvm::Tensor>& outputs) {
      for (std::size_t i = 0; i < 3; ++i)
        CHECK(outputs[0].real(i) == 5 + 2 * static_cast<double>(i) +
                                        (static_cast<std::int64_t>(i) < n ? static_cast<double>(i) : 0));
    };
    check(interpret(program, given, dimensions).outputs);
    check(compiled.run(given, dimensions).outputs);
    for (const auto* scheduled : {&compiled.scheduled(), &gpu, &apart}) {
      check(schedule::interpret(*scheduled, given, dimensions, 1).outputs);
      if (scheduled != &compiled.scheduled())
        check(test::EmulatedProgram(*scheduled).run({given, dimensions}, 1).outputs);
    }
  }
}

TEST_CASE("a value that is updated lives before the launch, and is passed to it once") {
  const Program program = parsed(adding);
  const Lifetime t = lifetimes(program).of_value[3];
  CHECK(std::pair(t.first, t.last) == std::pair<std::size_t, std::size_t>(0, 8));
  CHECK(refusal(replaced(adding, "  launch @copy(x, t)\n", "")).find("t is read before it is written (V1)") !=
        std::string::npos);
  CHECK(refusal(replaced(replaced(adding, "@add(i: i32, y", "@add(i: i32, z: <N x f32>, y"), "@add(count, t)",
                         "@add(count, t, t)"))
            .find("t is updated and passed twice (L2)") != std::string::npos);
}

TEST_CASE("the verifier names what is wrong with control flow") {
  const auto breaks = [](const std::string& from, const std::string& to) {
    const std::string text = refusal(replaced(doubling, from, to));
    const std::string_view start = "@doubling does not verify: ";
    return text.starts_with(start) ? text.substr(start.size(), text.find('\n') - start.size()) : text;
  };
  CHECK(breaks("if again {", "if count {") == "the condition count is no bool of rank 0 (C1)");
  CHECK(breaks("block done", "block repeat") == "two scopes are called 'repeat' (C2)");
  CHECK(breaks("jump done", "jump gone") == "no scope 'gone' is around a jump to it (C3)");
  CHECK(breaks("loop repeat", "fused loop repeat") == "a jump to 'done' leaves a fused scope (C4)");
  CHECK(breaks("block done {\n    loop", "fused block done {\n    fused loop") ==
        "'repeat' is fused in a fused scope (C4)");
  CHECK(breaks("        } else {\n", "          swap t, u\n        } else {\n") ==
        "a statement follows a jump (C3)");
  CHECK(breaks("swap t, u", "swap t, x") == "swap of t and x (V2)");
  CHECK(breaks("swap t, u", "swap t, count") == "swap of t and count (V2)");
  CHECK(breaks("  launch @number(none, count)\n", "") == "count is read before it is written (V1)");
  CHECK(breaks("launch @copy(x, t)", "launch @copy(t)") == "launch of @copy: 1 values (L1)");
}

TEST_CASE("a program's text that is wrong is an error with its line") {
  CHECK(refusal(replaced(doubling, "launch @less(", "launch @more(")) ==
        "line 18: no kernel is called 'more'");
  CHECK(refusal(replaced(doubling, "swap t, u", "swap t, v")) == "line 23: no value is called 'v'");
  CHECK(refusal(replaced(doubling, "loop repeat {", "repeat {")) ==
        "line 17: expected a statement, found 'repeat'");
  CHECK(refusal(replaced(doubling, "i32 = 0", "i32")) == "line 5: expected '=', found 'arena'");
}

TEST_CASE("no part of a program's text crashes the parser") {
  const std::string text = doubling;
  std::string ignored;
  for (std::size_t cut = 0; cut < text.find("kernel @copy"); ++cut)
    read_unit(text.substr(0, cut) + text.substr(text.find("\nkernel @copy")), ignored);  // never crashes
}

}  // namespace
}  // namespace codegen::kernel
