// These tests hold what a function requires of its arguments before it runs.
#include <fmt/format.h>

#include "tests/dlvm/analysis/parsed.h"
#include "tests/dlvm/interpret/build.h"

using namespace test;

namespace {

const char* const function = R"(
require N <= 2*M "the {left} rows are more than {right}, twice {right}" at "a.tel":3:4
require M == 3 "{left} columns"
func @f: (<N x f32>, (<M x f16>, <M x i32>)) -> f32 {
'entry(%x: <N x f32>, %0^1: (<M x f16>, <M x i32>)):
    return 1: f32
}
)";

/// The message with which the interpreter refuses the arguments; empty where it takes them.
std::string refused(std::vector<RuntimeValue> arguments, bool float64 = false) {
  const parsed::Text text(function);
  InterpretOptions options;
  options.float64 = float64;
  const auto result = interpret(text.function(), arguments, options);
  return result ? "" : result.error->text;
}

RuntimeValue pair(ElementType first, ElementType second, std::int64_t extent = 3) {
  return RuntimeValue(std::vector<RuntimeValue>{Tensor(first, {extent}), Tensor(second, {extent})});
}

}  // namespace

TEST_CASE("arguments have the element types of the function, also within tuples") {
  using enum ElementType;
  const Tensor x = test::f32({6}, {}), wide(f64, {6});
  CHECK(refused({x, pair(f16, i32)}).empty());
  CHECK(refused({wide, pair(f16, i32)}) == "argument 0 of @f is not <N x f32>");
  CHECK(refused({x, pair(f64, i32)}) == "argument 1 of @f is not (<M x f16>, <M x i32>)");
  CHECK(refused({x, pair(f16, i64)}) == "argument 1 of @f is not (<M x f16>, <M x i32>)");
  CHECK(refused({x}) == "@f takes 2 arguments, not 1");
  CHECK(refused({x, x}) == "argument 1 is not (<M x f16>, <M x i32>)");
}

TEST_CASE("in float64, floating arguments are of their own type or f64, the others as they are") {
  using enum ElementType;
  const Tensor x = test::f32({6}, {}), wide(f64, {6}), half(f16, {6});
  CHECK(refused({x, pair(f16, i32)}, true).empty());
  CHECK(refused({wide, pair(f64, i32)}, true).empty());
  CHECK(refused({half, pair(f16, i32)}, true) == "argument 0 of @f is not <N x f32>");
  CHECK(refused({x, pair(f16, f64)}, true) == "argument 1 of @f is not (<M x f16>, <M x i32>)");
}

TEST_CASE("a requirement that does not hold is said with its values and its place") {
  using enum ElementType;
  const Tensor x = test::f32({7}, {});
  CHECK(refused({x, pair(f16, i32)}) == "the 7 rows are more than 6, twice 6");
  CHECK(refused({x, pair(f16, i32, 4)}) == "4 columns");
  const parsed::Text text(function);
  const auto result = interpret(text.function(), std::vector<RuntimeValue>{x, pair(f16, i32)});
  REQUIRE(result.error);
  CHECK(result.error->kind == InterpretError::Kind::extent);
  REQUIRE(result.error->locations.size() == 1);
  CHECK(result.error->locations[0].line == 3);
}

TEST_CASE("a requirement on what no argument gives says so") {
  const parsed::Text text(R"(
require K <= 2 "few"
func @f: () -> f32 {
'entry():
    return 1: f32
}
)");
  const auto result = interpret(text.function(), {});
  REQUIRE(result.error);
  CHECK(result.error->text == "nothing gives an extent in: few");
  InterpretOptions options;
  options.dimensions["K"] = 2;
  CHECK(interpret(text.function(), {}, options));
  options.dimensions["K"] = 3;
  CHECK_FALSE(interpret(text.function(), {}, options));
}
