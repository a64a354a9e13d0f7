#include "tests/dlvm/analysis/parsed.h"
#include "tests/dlvm/interpret/build.h"

using parsed::Text;
using namespace test;
using Kind = InterpretError::Kind;

namespace {

RuntimeValue number(ElementType element, double value) { return Tensor::scalar(element, value); }
RuntimeValue integer(double value) { return number(ElementType::i32, value); }

double result(const Text& text, const std::vector<RuntimeValue>& inputs,
              const InterpretOptions& options = {}) {
  const Interpretation run = interpret(text.function(), inputs, options);
  REQUIRE_MESSAGE(run, run.error->text);
  return run.value.tensor().real(0);
}

InterpretError error(const Text& text, const std::vector<RuntimeValue>& inputs,
                     const InterpretOptions& options = {}) {
  const Interpretation run = interpret(text.function(), inputs, options);
  REQUIRE(run.error);
  return *run.error;
}

}  // namespace

TEST_CASE("a loop, and values passed in parallel") {
  // Fibonacci numbers: each round passes (b, a + b) for (a, b).
  const Text text(R"(
func @f: (i32) -> i32 {
'entry(%n: i32):
    branch 'head(%n: i32, 0: i32, 1: i32)
'head(%left: i32, %a: i32, %b: i32):
    %more = greaterThan %left: i32, 0: i32
    conditional %more: bool then 'body else 'done
'body():
    %less = subtract %left: i32, 1: i32
    %sum = add %a: i32, %b: i32
    branch 'head(%less: i32, %b: i32, %sum: i32)
'done():
    return %a: i32
}
)");
  CHECK(result(text, {integer(0)}) == 0);
  CHECK(result(text, {integer(10)}) == 55);
}

TEST_CASE("arguments of a block may be swapped") {
  const Text text(R"(
func @f: (i32, i32, i32) -> i32 {
'entry(%n: i32, %x: i32, %y: i32):
    branch 'head(%n: i32, %x: i32, %y: i32)
'head(%left: i32, %a: i32, %b: i32):
    %less = subtract %left: i32, 1: i32
    %more = greaterThan %left: i32, 0: i32
    conditional %more: bool then 'head(%less: i32, %b: i32, %a: i32) else 'done
'done():
    return %a: i32
}
)");
  CHECK(result(text, {integer(4), integer(7), integer(9)}) == 7);
  CHECK(result(text, {integer(5), integer(7), integer(9)}) == 9);
}

TEST_CASE("recursion of one and of two functions") {
  const Text text(R"(
func @f: (i32) -> i32 {
'entry(%n: i32):
    %done = lessThanOrEqual %n: i32, 1: i32
    conditional %done: bool then 'base else 'step
'base():
    return 1: i32
'step():
    %less = subtract %n: i32, 1: i32
    %rest = apply @f(%less: i32) -> i32
    %all = multiply %n: i32, %rest: i32
    return %all: i32
}
func @even: (i32) -> bool {
'entry(%n: i32):
    %done = equal %n: i32, 0: i32
    conditional %done: bool then 'yes else 'ask
'yes():
    return true: bool
'ask():
    %less = subtract %n: i32, 1: i32
    %odd = apply @odd(%less: i32) -> bool
    return %odd: bool
}
func @odd: (i32) -> bool {
'entry(%n: i32):
    %done = equal %n: i32, 0: i32
    conditional %done: bool then 'no else 'ask
'no():
    return false: bool
'ask():
    %less = subtract %n: i32, 1: i32
    %even = apply @even(%less: i32) -> bool
    return %even: bool
}
)");
  CHECK(result(text, {integer(5)}) == 120);
  const auto is_even = [&](double n) {
    const std::vector<RuntimeValue> inputs{integer(n)};
    return interpret(text.function("even"), inputs).value.tensor().integer(0) != 0;
  };
  CHECK(is_even(10));
  CHECK_FALSE(is_even(7));
}

TEST_CASE("a run that does not end meets the limit") {
  const Text text(R"(
func @f: () -> () {
'entry():
    branch 'round
'round():
    branch 'round at "spin.tel":3:4
}
)");
  InterpretOptions options;
  options.step_limit = 1000;
  const InterpretError wrong = error(text, {}, options);
  CHECK(wrong.kind == Kind::steps);
  CHECK(wrong.text.starts_with("more than 1000 branches and calls"));
  REQUIRE(wrong.locations.size() == 1);
  CHECK(wrong.locations[0].line == 3);
}

TEST_CASE("calls count as steps, too") {
  // Twice the calls at each depth: without a limit, 2^40 calls.
  const Text text(R"(
func @f: (i32) -> i32 {
'entry(%n: i32):
    %done = equal %n: i32, 0: i32
    conditional %done: bool then 'base else 'step
'base():
    return 0: i32
'step():
    %less = subtract %n: i32, 1: i32
    %a = apply @f(%less: i32) -> i32
    %b = apply @f(%less: i32) -> i32
    return %b: i32
}
)");
  InterpretOptions options;
  options.step_limit = 5000;
  CHECK(error(text, {integer(40)}, options).kind == Kind::steps);
  CHECK(result(text, {integer(5)}, options) == 0);
}

TEST_CASE("a trap is an error with its place") {
  const Text text(R"(
func @f: (bool) -> i32 {
'entry(%c: bool):
    conditional %c: bool then 'bad else 'good
'bad():
    trap at "m.tel":7:8
'good():
    return 1: i32
}
)");
  CHECK(result(text, {number(ElementType::boolean, 0)}) == 1);
  const InterpretError wrong = error(text, {number(ElementType::boolean, 1)});
  CHECK(wrong.kind == Kind::trap);
  CHECK(wrong.text == "the function traps");
  CHECK(wrong.function == "f");
  REQUIRE(wrong.locations.size() == 1);
  CHECK(wrong.locations[0].line == 7);
}

TEST_CASE("values are freed on the way on which nothing needs them any more") {
  // 100 rounds make 4 MB each; %big is used on one side alone, in another block than its own.
  const Text text(R"(
func @f: (i32) -> f32 {
'entry(%n: i32):
    branch 'head(%n: i32, 0: f32)
'head(%left: i32, %sum: f32):
    %big = iota 1000000 along 0: f32
    %less = subtract %left: i32, 1: i32
    %more = greaterThan %less: i32, 0: i32
    conditional %more: bool then 'use else 'other
'use():
    %part = reduce %big: <1000000 x f32> by max init 0: f32 along 0
    branch 'head(%less: i32, %part: f32)
'other():
    %again = iota 1000000 along 0: f32
    %last = reduce %again: <1000000 x f32> by max init 0: f32 along 0
    %all = add %sum: f32, %last: f32
    return %all: f32
}
)");
  InterpretOptions options;
  options.byte_limit = 4'500'000;
  CHECK(result(text, {integer(100)}, options) == 2 * 999'999.0);
  options.byte_limit = 3'500'000;
  CHECK(error(text, {integer(100)}, options).kind == Kind::memory);
}

TEST_CASE("the same value is defined again in each round") {
  const Text text(R"(
func @f: (i32, <N x f32>) -> <N x f32> {
'entry(%n: i32, %x: <N x f32>):
    branch 'head(%n: i32, %x: <N x f32>)
'head(%left: i32, %y: <N x f32>):
    %z = add %y: <N x f32>, %x: <N x f32>
    %less = subtract %left: i32, 1: i32
    %more = greaterThan %less: i32, 0: i32
    conditional %more: bool then 'head(%less: i32, %z: <N x f32>) else 'done
'done():
    return %z: <N x f32>
}
)");
  const std::vector<RuntimeValue> inputs{integer(3), f32({2}, {1, -2})};
  CHECK(values(interpret(text.function(), inputs).value.tensor()) == std::vector<double>{4, -8});
}
