// These tests hold what the analysis knows of an integer, given what it knows of the operands.
#include <fmt/format.h>

#include "dlvm/analysis/bounds.h"
#include "tests/dlvm/analysis/parsed.h"

using namespace dlvm;

namespace {

/// "lower upto upper, least upto most" of %y, of which the last of these instructions is. They may use an i32
/// %i, the numbers %low, from 0 to 10, %high, from 5 to 8, and %sign, from -3 to 4, the extent %n of the
/// tensor %x, and the bool %c.
std::string of(const std::string& instructions) {
  const parsed::Text text(fmt::format(R"(
func @f: (i32, <N x 7 x f32>, bool) -> f32 {{
'entry(%i: i32, %x: <N x 7 x f32>, %c: bool):
    %low = checkIndex %i: i32 from 0 upto 11
    %high = checkIndex %i: i32 from 5 upto 9
    %sign = checkIndex %i: i32 from -3 upto 5
    %n = extent N: i64
    {}
    return 0: f32
}}
)",
                                      instructions));
  const ControlFlow flow(text.function());
  const DominatorTree dominators(flow);
  const LoopNest loops(flow, dominators);
  Bounds bounds(flow, dominators, loops);
  for (const auto& instruction : text.function().entry().instructions()) {
    if (instruction->name() != "y") continue;
    const IntegerBounds found = bounds.of(*instruction);
    return fmt::format("{} upto {}, {} upto {}", found.lower ? found.lower->text() : "",
                       found.upper ? found.upper->text() : "", static_cast<std::int64_t>(found.least),
                       static_cast<std::int64_t>(found.most));
  }
  return "no %y";
}

}  // namespace

TEST_CASE("sums, products and what turns a sign") {
  CHECK(of("%y = add %low: i32, %high: i32") == "5 upto 18, 5 upto 18");
  CHECK(of("%y = subtract %low: i32, %high: i32") == "-8 upto 5, -8 upto 5");
  CHECK(of("%y = multiply %low: i32, %high: i32") == "0 upto 80, 0 upto 80");
  CHECK(of("%y = negate %high: i32") == "-8 upto -5, -8 upto -5");
  CHECK(of("%y = abs %high: i32") == "5 upto 8, 5 upto 8");
  CHECK(of("%y = abs %low: i32") == "0 upto 10, 0 upto 10");
  CHECK(of("%y = abs %sign: i32").ends_with(", -3 upto 4"));
}

TEST_CASE("quotients, of which one by zero is zero, and remainders") {
  CHECK(of("%y = floorDivide %low: i32, %high: i32") == "0 upto 10, 0 upto 10");
  CHECK(of("%y = truncateDivide %low: i32, %high: i32") == "0 upto 10, 0 upto 10");
  CHECK(of("%y = truncateDivide %high: i32, %low: i32") == "0 upto 8, 0 upto 8");
  CHECK(of("%y = truncateDivide %low: i32, 3: i32") == "0 upto 3, 0 upto 3");
  CHECK(of("%y = truncateDivide %sign: i32, %high: i32").starts_with(" upto , "));
  CHECK(of("%y = truncateDivide %high: i32, %sign: i32").starts_with(" upto , "));
  CHECK(of("%y = modulo %i: i32, %high: i32") == "0 upto 7, 0 upto 7");
}

TEST_CASE("choices") {
  CHECK(of("%y = min %low: i32, %high: i32") == "0 upto 8, 0 upto 8");
  CHECK(of("%y = max %low: i32, %high: i32") == "5 upto 10, 5 upto 10");
  CHECK(of("%y = select %low: i32, %high: i32 by %c: bool") == "0 upto 10, 0 upto 10");
  CHECK(of("%y = select %high: i32, %sign: i32 by %c: bool") == "-3 upto 8, -3 upto 8");
}

TEST_CASE("extents, ranks and numbers of elements") {
  CHECK(of("%y = add %n: i64, 1: i64").starts_with("N + 1 upto N + 1, 1 upto "));
  CHECK(of("%y = extent 3: i32") == "3 upto 3, 3 upto 3");
  CHECK(of("%y = rank of %x: <N x 7 x f32>") == "2 upto 2, 2 upto 2");
  CHECK(of("%y = unitCount of %x: <N x 7 x f32>").starts_with("7*N upto 7*N, 0 upto "));
  const std::string shape = "%s = shape of %x: <N x 7 x f32>\n    ";
  CHECK(of(shape + "%y = gather %s: <2 x i64> at 1: i64 along 0") == "7 upto 7, 7 upto 7");
  CHECK(of(shape + "%y = gather %s: <2 x i64> at 0: i64 along 0").starts_with("N upto N, 0 upto "));
  CHECK(of(shape + "%y = gather %s: <2 x i64> at 2: i64 along 0").starts_with(" upto , "));
  CHECK(of(shape + "%y = gather %s: <2 x i64> at %i: i32 along 0").starts_with(" upto , "));
}

TEST_CASE("what passes a value on, within the range of its type") {
  CHECK(of("%y = dataTypeCast %high: i32 to i8") == "5 upto 8, 5 upto 8");
  CHECK(of("%y = dataTypeCast %sign: i32 to u8") == "0 upto , 0 upto 255");
  CHECK(of("%y = dataTypeCast %c: bool to i32") == "0 upto 1, 0 upto 1");
  CHECK(of("%f = dataTypeCast %high: i32 to f32\n    %y = dataTypeCast %f: f32 to i32") ==
        " upto , -2147483648 upto 2147483647");
  CHECK(of("%y = checkIndex %low: i32 from 4 upto 20") == "4 upto 10, 4 upto 10");
  CHECK(of("%y = literal 7: i32") == "7 upto 7, 7 upto 7");
  CHECK(of("%y = literal 18446744073709551615: u64").starts_with("0 upto , 0 upto "));
  CHECK(of("%y = multiply %low: i32, 1000000000: i32") == " upto 10000000000, -2147483648 upto 2147483647");
  const std::string pair = "%p = literal (%low: i32, %high: i32)\n    ";
  CHECK(of(pair + "%y = extract 1 from %p: (i32, i32)") == "5 upto 8, 5 upto 8");
  CHECK(of(pair +
           "%q = literal (%c: bool, %p: (i32, i32))\n    %e = extract 1 from %q: (bool, (i32, i32))\n" +
           "    %y = extract 0 from %e: (i32, i32)") == "0 upto 10, 0 upto 10");
}
