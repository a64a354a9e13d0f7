#include "dlvm/call/random_inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <set>

#include "tests/dlvm/analysis/parsed.h"

using parsed::Text;
using namespace dlvm;

TEST_CASE(
    "random inputs: floats are of the interval, integers of the range of their indices, bools are both") {
  const Text text(R"(
entry forward "f" @f(input "x", input "i", input "c") -> (output "y", output "z")
func @f: (<90 x f32>, <90 x i32>, <90 x bool>) -> (<90 x f32>, <90 x f32>) {
'entry(%x: <90 x f32>, %i: <90 x i32>, %c: <90 x bool>):
    %y = gather <1: f32, 2: f32, 3: f32>: <3 x f32> at %i: <90 x i32> along 0
    %z = select %x: <90 x f32>, %y: <90 x f32> by %c: <90 x bool>
    return (%y: <90 x f32>, %z: <90 x f32>)
}
)");
  Draw draw(7);
  std::string why;
  const auto call = random_call(text.module(), text.module().entries[0], {}, 4, {-0.5, 0.5}, draw, why, 0);
  REQUIRE_MESSAGE(call, why);
  double least = 1, largest = -1;
  std::int64_t indices[3]{}, bools[2]{};
  for (std::size_t k = 0; k < 90; ++k) {
    least = std::min(least, call->arguments[0].tensor().real(k));
    largest = std::max(largest, call->arguments[0].tensor().real(k));
    const std::int64_t index = call->arguments[1].tensor().integer(k);
    REQUIRE((index >= 0 && index < 3));
    ++indices[index];
    ++bools[call->arguments[2].tensor().integer(k)];
  }
  CHECK((least >= -0.5 && least < -0.4 && largest > 0.4 && largest < 0.5));
  for (const std::int64_t count : {indices[0], indices[1], indices[2], bools[0], bools[1]}) CHECK(count > 10);
}

TEST_CASE("lengths are drawn from 0 to the number of steps, unless an index demands less") {
  const Text text(R"(
entry forward "f" @f(input "x", input "n", input "i") -> (output "y", output "z", output "c")
func @f: (<3 x f32>, <90 x i32>, <90 x i32>) -> (<90 x 3 x bool>, <90 x f32>, <90 x 3 x bool>) {
'entry(%x: <3 x f32>, %n: <90 x i32>, %i: <90 x i32>):
    %positions = iota 3 along 0: i32
    %rows = shapeCast %n: <90 x i32> to 90 x 1
    %y = lessThan %positions: <3 x i32>, %rows: <90 x 1 x i32>
    %z = gather %x: <3 x f32> at %i: <90 x i32> along 0
    %others = shapeCast %i: <90 x i32> to 90 x 1
    %c = lessThan %positions: <3 x i32>, %others: <90 x 1 x i32>
    return (%y: <90 x 3 x bool>, %z: <90 x f32>, %c: <90 x 3 x bool>)
}
)");
  Draw draw(7);
  std::string why;
  const auto call = random_call(text.module(), text.module().entries[0], {}, 4, {-0.5, 0.5}, draw, why, 0);
  REQUIRE_MESSAGE(call, why);
  std::int64_t lengths[4]{}, indices[3]{};
  for (std::size_t k = 0; k < 90; ++k) {
    const std::int64_t length = call->arguments[1].tensor().integer(k);
    REQUIRE((length >= 0 && length <= 3));
    ++lengths[length];
    const std::int64_t index = call->arguments[2].tensor().integer(k);
    REQUIRE((index >= 0 && index < 3));
    ++indices[index];
  }
  for (const std::int64_t count : lengths) CHECK(count > 10);
  for (const std::int64_t count : indices) CHECK(count > 10);
}

TEST_CASE("drawn numbers are below the end of their range, and the same with the same seed") {
  Draw draw(3), again(3), other(4);
  CHECK(draw.integer(5, 5) == 5);
  CHECK(draw.integer(5, 4) == 5);
  bool differs = false;
  std::int64_t counts[3]{};
  for (int i = 0; i < 300; ++i) {
    const std::int64_t number = draw.integer(-1, 2);
    REQUIRE((number >= -1 && number < 2));
    ++counts[number + 1];
    CHECK(again.integer(-1, 2) == number);
    differs |= other.integer(-1, 2) != number;
    const double real = draw.real(2, 2.5);
    CHECK((real >= 2 && real < 2.5));
    CHECK(again.real(2, 2.5) == real);
    other.real(2, 2.5);
  }
  for (const std::int64_t count : counts) CHECK(count > 60);
  CHECK(differs);
}

TEST_CASE("random inputs: dimensions that nothing gives get the extent and the numbers after it") {
  const Text text(R"(
entry forward "f" @f(input "x", input "i", input "j") -> (output "y")
func @f: (<B x N x f32>, <A x i32>, <3 x u8>) -> <N x C x f32> {
'entry(%x: <B x N x f32>, %i: <A x i32>, %j: <3 x u8>):
    %y = broadcast 0: f32 to N x C
    return %y: <N x C x f32>
}
)");
  std::string why;
  const auto draw = [&](const EntryInputs& given) {
    Draw numbers(7);
    return random_call(text.module(), text.module().entries[0], given, 4, {-1, 1}, numbers, why);
  };
  const auto call = draw({});
  REQUIRE_MESSAGE(call, why);
  CHECK(call->dimensions == Extent::Bindings{{"A", 4}, {"B", 5}, {"C", 6}, {"N", 7}});
  for (std::size_t i = 0; i < 4; ++i) CHECK(std::abs(call->arguments[1].tensor().integer(i)) <= 4);
  for (std::size_t i = 0; i < 3; ++i) CHECK(call->arguments[2].tensor().integer(i) < 5);
  EntryInputs given;
  given.dimensions["C"] = 2;
  given.inputs.push_back({"x", Tensor(ElementType::f32, {9, 8})});
  const auto other = draw(given);
  REQUIRE_MESSAGE(other, why);
  CHECK(other->dimensions == Extent::Bindings{{"A", 4}, {"B", 9}, {"C", 2}, {"N", 8}});
  CHECK(other->arguments[0].tensor() == Tensor(ElementType::f32, {9, 8}));
}

TEST_CASE("random inputs: an integer of two ranges is in both, and there must be one in its range") {
  const auto draw = [](const std::string& check) {
    const Text text(R"(
entry forward "f" @f(input "i") -> (output "y", output "z")
func @f: (<40 x i32>) -> (<40 x f32>, <40 x i32>) {
'entry(%i: <40 x i32>):
    %y = gather <1: f32, 2: f32, 3: f32>: <3 x f32> at %i: <40 x i32> along 0
    %z = checkIndex %i: <40 x i32> from )" +
                    check + R"(
    return (%y: <40 x f32>, %z: <40 x i32>)
}
)");
    Draw numbers(7);
    std::string why;
    const auto call = random_call(text.module(), text.module().entries[0], {}, 4, {-1, 1}, numbers, why);
    if (!call) return why;
    std::set<std::int64_t> seen;
    for (std::size_t i = 0; i < 40; ++i) seen.insert(call->arguments[0].tensor().integer(i));
    return fmt::format("{}", fmt::join(seen, " "));
  };
  CHECK(draw("1 upto 9") == "1 2");
  CHECK(draw("-4 upto 2") == "0 1");
  CHECK(draw("7 upto 9") == "0 1 2");
  CHECK(draw("2 upto 3") == "2");
}

TEST_CASE("random inputs: every element of a parameter is its initial value, moved a little") {
  const Text text(R"(
entry forward "f" @f(parameter "w") -> (output "y")
parameter "w": <3 x f64> initialized @ones
func @ones: (u64) -> <3 x f64> {
'entry(%seed: u64):
    return 1: <3 x f64>
}
func @f: (<3 x f64>) -> <3 x f64> {
'entry(%w: <3 x f64>):
    return %w: <3 x f64>
}
)");
  Draw draw(7);
  std::string why;
  const auto call = random_call(text.module(), text.module().entries[0], {}, 4, {-1, 1}, draw, why, 0.25);
  REQUIRE_MESSAGE(call, why);
  for (std::size_t k = 0; k < 3; ++k) {
    const double drawn = call->arguments[0].tensor().real(k);
    CHECK((drawn >= 0.75 && drawn < 1.25 && drawn != 1));
  }
}

TEST_CASE("random inputs: a constant that is the number of a case is one") {
  const Text text(R"(
entry forward "f" @f(constant "kind" enum "Kind" "small" "large", constant "other") -> (output "y")
constant "kind": <50 x i32>
constant "other": <50 x i32>
func @f: (<50 x i32>, <50 x i32>) -> <50 x i32> {
'entry(%k: <50 x i32>, %o: <50 x i32>):
    %y = add %k: <50 x i32>, %o: <50 x i32>
    return %y: <50 x i32>
}
)");
  Draw draw(7);
  std::string why;
  const auto call = random_call(text.module(), text.module().entries[0], {}, 4, {-1, 1}, draw, why);
  REQUIRE_MESSAGE(call, why);
  std::set<std::int64_t> cases;
  for (std::size_t k = 0; k < 50; ++k) cases.insert(call->arguments[0].tensor().integer(k));
  CHECK(cases == std::set<std::int64_t>{0, 1});
}
