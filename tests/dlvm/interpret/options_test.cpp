// The limits of a run, and what it shows of itself.
#include <fmt/format.h>

#include "tests/dlvm/analysis/parsed.h"
#include "tests/dlvm/interpret/build.h"

using namespace test;
using Kind = InterpretError::Kind;

namespace {

const char* const nested = R"(
func @inner: (f32) -> f32 {
'entry(%x: f32):
    %l = log %x: f32
    return %l: f32
}
func @f: (f32) -> f32 {
'entry(%x: f32):
    %d = detach %x: f32
    %y = apply @inner(%d: f32) -> f32
    %p = multiply %y: f32, %x: f32
    %z = detach %p: f32
    return %z: f32
}
)";

}  // namespace

TEST_CASE("calls nest as deep, and branches and calls are as many, as the options say") {
  const parsed::Text text(R"(
func @f: (i32) -> i32 {
'entry(%n: i32):
    %more = greaterThan %n: i32, 0: i32
    conditional %more: bool then 'again() else 'end()
'again():
    %less = subtract %n: i32, 1: i32
    %y = apply @f(%less: i32) -> i32
    return %y: i32
'end():
    return 7: i32
}
)");
  const auto run = [&](std::int64_t calls, const InterpretOptions& options) {
    const std::vector<RuntimeValue> arguments{Tensor::scalar(ElementType::i32, calls)};
    const auto result = interpret(text.function(), arguments, options);
    return result ? std::to_string(result.value.tensor().integer(0)) : result.error->text;
  };
  InterpretOptions options;
  options.call_depth_limit = 4;
  CHECK(run(3, options) == "7");
  CHECK(run(4, options) == "calls nest deeper than 4");
  options = {};
  options.step_limit = 7;  // four branches and three calls
  CHECK(run(3, options) == "7");
  CHECK(run(4, options).starts_with("more than 7 branches and calls;"));
}

TEST_CASE("the memory limit counts what is alive at once, with what is on stacks") {
  const auto fails = [](const std::string& body, std::int64_t limit) {
    const parsed::Text text("func @f: (<100 x u8>) -> u8 {\n'entry(%x: <100 x u8>):\n" + body +
                            "    return 0: u8\n}\n");
    InterpretOptions options;
    options.byte_limit = limit;
    const std::vector<RuntimeValue> arguments{Tensor(ElementType::u8, {100})};
    const auto result = interpret(text.function(), arguments, options);
    if (!result) CHECK(result.error->kind == Kind::memory);
    return !result;
  };
  const std::string sum = "    %y = add %x: <100 x u8>, %x: <100 x u8>\n";
  CHECK_FALSE(fails(sum, 200));
  CHECK(
      fails("    %y = broadcast %x: <100 x u8> to 2 x 100\n    %z = add %y: <2 x 100 x u8>, 1: u8\n"
            "    %w = add %y: <2 x 100 x u8>, %z: <2 x 100 x u8>\n",
            300));
  const std::string pushes =
      "    %s = createStack\n    push %x: <100 x u8> to %s: stack\n    push %x: <100 x u8> to %s: stack\n";
  const std::string pops =
      "    %a = pop <100 x u8> from %s: stack\n    push %x: <100 x u8> to %s: stack\n    destroyStack %s: "
      "stack\n";
  CHECK_FALSE(fails(pushes + pops, 300));
  CHECK(fails(pushes + pops, 199));
  // An empty stack takes nothing.
  const std::string emptied =
      "    %s = createStack\n    push %x: <100 x u8> to %s: stack\n    %a = pop <100 x u8> from %s: stack\n"
      "    destroyStack %s: stack\n    %z = broadcast %x: <100 x u8> to 2 x 100\n" +
      sum;
  CHECK_FALSE(fails(emptied, 300));
  CHECK(fails(emptied, 299));
}

TEST_CASE("check_finite is about named values of the function itself") {
  const parsed::Text text(nested);
  const auto checked = [&](double x) {
    InterpretOptions options;
    options.check_finite = true;
    const std::vector<RuntimeValue> arguments{Tensor::scalar(ElementType::f32, x)};
    const auto result = interpret(text.function(), arguments, options);
    return result ? "" : result.error->text;
  };
  CHECK(checked(1).empty());
  CHECK(checked(0) == "y is not finite");
  const Built pair({f32({2})}, [](Builder& b, const std::vector<Value*>& a) {
    Value* both = b.tuple({b.constant(ElementType::i32, 1), a[0]});
    both->set_name("both");
    return b.extract(both, 0);
  });
  InterpretOptions options;
  options.check_finite = true;
  CHECK(pair.run({test::f32({2}, {1, 2})}, options));
  CHECK(pair.run({test::f32({2}, {1, HUGE_VAL})}, options).error->text == "both is not finite");
}

TEST_CASE("detached values are kept in their order, and taken from there in a replay") {
  const parsed::Text text(nested);
  std::vector<RuntimeValue> detached;
  InterpretOptions options;
  options.detached = &detached;
  const std::vector<RuntimeValue> arguments{Tensor::scalar(ElementType::f32, 1.0)};
  CHECK(interpret(text.function(), arguments, options).value.tensor().real(0) == 0);
  REQUIRE(detached.size() == 2);
  CHECK(detached[0].tensor().real(0) == 1);
  CHECK(detached[1].tensor().real(0) == 0);
  detached[1] = Tensor::scalar(ElementType::f32, 5.0);
  options.replay_detached = true;
  CHECK(interpret(text.function(), arguments, options).value.tensor().real(0) == 5);
  CHECK(detached.size() == 2);
  detached.pop_back();
  CHECK(interpret(text.function(), arguments, options).value.tensor().real(0) == 0);
}

TEST_CASE("an observer sees each instruction with its operands, but no ends of blocks") {
  const parsed::Text text(nested);
  std::string seen;
  InterpretOptions options;
  options.observe = [&](const Instruction& instruction, std::span<const RuntimeValue> operands,
                        const RuntimeValue& result) {
    seen += fmt::format("{} {} of {}; ", instruction.name(), result.tensor().real(0), operands.size());
  };
  const std::vector<RuntimeValue> arguments{Tensor::scalar(ElementType::f32, 1.0)};
  REQUIRE(interpret(text.function(), arguments, options));
  CHECK(seen == "d 1 of 1; l 0 of 1; y 0 of 1; p 0 of 2; z 0 of 1; ");
}

TEST_CASE("a run goes on while it may") {
  const parsed::Text text(nested);
  std::string seen;
  InterpretOptions options;
  options.proceed = [&](const Instruction& instruction, std::span<const RuntimeValue> operands,
                        const Extent::Bindings&) {
    seen += fmt::format("{} of {}; ", instruction.name(), operands.size());
    return instruction.name() != "l";
  };
  options.observe = [&](const Instruction& instruction, std::span<const RuntimeValue>, const RuntimeValue&) {
    CHECK(instruction.name() == "d");
  };
  const std::vector<RuntimeValue> arguments{Tensor::scalar(ElementType::f32, 1.0)};
  const auto result = interpret(text.function(), arguments, options);
  REQUIRE(!result);
  CHECK(result.error->kind == InterpretError::Kind::stopped);
  CHECK(seen == "d of 1; y of 1; l of 1; ");
}

TEST_CASE("a function without a body is called with its arguments before the call fails") {
  const parsed::Text text(R"(
func @outside: (f32, i32) -> f32
func @f: (f32) -> f32 {
'entry(%x: f32):
    %y = apply @outside(%x: f32, 3: i32) -> f32
    return %y: f32
}
)");
  std::string seen;
  InterpretOptions options;
  options.call_external = [&](const Function& function, std::span<const RuntimeValue> arguments) {
    seen += function.name() + std::to_string(arguments[1].tensor().integer(0));
  };
  const std::vector<RuntimeValue> arguments{Tensor::scalar(ElementType::f32, 1.0)};
  const auto result = interpret(text.function(), arguments, options);
  REQUIRE(result.error);
  CHECK(result.error->kind == Kind::external);
  CHECK(result.error->text == "@outside is external");
  CHECK(result.error->function == "outside");
  CHECK(seen == "outside3");
}
