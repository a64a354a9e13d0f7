#include <fmt/format.h>

#include "tests/dlvm/analysis/analysed.h"

using parsed::Analysed;

namespace {

/// Returns the bound of the rounds of a loop from `start` as long as the test holds, as text; empty where
/// there is none.
std::string bound(const std::string& step, const std::string& test, const std::string& end,
                  const std::string& type = "i32", const std::string& start = "0") {
  return Analysed(fmt::format(R"(
func @f: ({0}, bool, <T x f32>, <S x f32>) -> {0} {{
'entry(%n: {0}, %c: bool, %x: <T x f32>, %y: <S x f32>):
    %t = extent T: {0}
    %s = extent S: {0}
    %last = subtract %t: {0}, 1: {0}
    %twice = multiply %t: {0}, 2: {0}
    %half = floorDivide %t: {0}, 2: {0}
    %least = min %t: {0}, %n: {0}
    %most = max %t: {0}, %s: {0}
    %rest = modulo %n: {0}, %t: {0}
    %quotient = floorDivide %t: {0}, %s: {0}
    %share = floorDivide %rest: {0}, %most: {0}
    %flag = dataTypeCast %c: bool to {0}
    branch 'loop({1}: {0})
'loop(%i: {0}):
    %more = {2} %i: {0}, {3}: {0}
    conditional %more: bool then 'body() else 'end()
'body():
    %next = add %i: {0}, {4}: {0}
    branch 'loop(%next: {0})
'end():
    return %i: {0}
}}
)",
                              type, start, test, end, step))
      .rounds();
}

}  // namespace

TEST_CASE("the rounds of a loop have a bound where its variable reaches the end before it wraps") {
  CHECK(bound("1", "lessThan", "10") == "10");
  CHECK(bound("1", "lessThanOrEqual", "10") == "11");
  CHECK(bound("-1", "greaterThan", "-10") == "10");
  CHECK(bound("-1", "greaterThanOrEqual", "-10") == "11");
  CHECK(bound("3", "lessThan", "10") == "4");
  CHECK(bound("3", "lessThanOrEqual", "9") == "4");
  CHECK(bound("1", "lessThan", "-10") == "0");
  CHECK(bound("65536", "lessThan", "2147418111") == "32767");
  CHECK(bound("65537", "lessThan", "2147418111") == "32767");
  CHECK(bound("65538", "lessThan", "2147418111").empty());
  CHECK(bound("-65537", "greaterThan", "-2147418111") == "32767");
  CHECK(bound("-65539", "greaterThan", "-2147418111").empty());
  CHECK(bound("1", "lessThan", "2147418111") == "2147418111");
  CHECK(bound("1", "lessThan", "2147418112").empty());
}

TEST_CASE("a loop whose variable goes the other way, or stands still, has no bound") {
  CHECK(bound("-1", "lessThan", "10").empty());
  CHECK(bound("1", "greaterThan", "-10").empty());
  CHECK(bound("0", "lessThan", "10").empty());
  CHECK(bound("1", "lessThan", "%n").empty());
  CHECK(bound("1", "lessThan", "10", "i32", "%n").empty());
}

TEST_CASE("a loop that ends where its variable is a number has a bound if it does not jump over that") {
  CHECK(bound("1", "notEqual", "10") == "10");
  CHECK(bound("-1", "notEqual", "-10") == "10");
  CHECK(bound("5", "notEqual", "10") == "2");
  CHECK(bound("3", "notEqual", "10").empty());
  CHECK(bound("1", "notEqual", "-1").empty());
  CHECK(bound("1", "notEqual", "%t") == "T");
  CHECK(bound("-1", "notEqual", "0", "i32", "%t") == "T");
  CHECK(bound("1", "notEqual", "%t", "i32", "1").empty());
  CHECK(bound("1", "equal", "10").empty());
}

TEST_CASE("integers of all widths count, where they do not wrap before the end") {
  for (const char* type : {"i8", "i16", "i64", "u8", "u16", "u32", "u64"}) {
    CHECK(bound("1", "lessThan", "100", type) == "100");
    CHECK(bound("1", "notEqual", "9", type) == "9");
    CHECK(bound("1", "lessThan", "%t", type) == "T");
  }
  CHECK(bound("1", "lessThanOrEqual", "127", "i8").empty());
  CHECK(bound("1", "lessThanOrEqual", "126", "i8") == "127");
  CHECK(bound("2", "lessThan", "127", "i8").empty());
  CHECK(bound("2", "lessThan", "126", "i8") == "63");
  CHECK(bound("255", "greaterThan", "0", "u8", "%t").empty());  // one less, in fact
  CHECK(bound("2", "lessThan", "%t", "u8").empty());
  CHECK(bound("1", "lessThanOrEqual", "%t", "i16").empty());
  CHECK(bound("1", "lessThan", "%twice", "u8") == "2*T");
}

TEST_CASE("bounds are the arithmetic of extents") {
  CHECK(bound("1", "lessThan", "%last") == "T");
  CHECK(bound("1", "lessThan", "%last", "u32").empty());  // -1 is the largest integer
  CHECK(bound("1", "lessThan", "%twice", "i64") == "2*T");
  CHECK(bound("2", "lessThan", "%twice", "i64") == "T");
  CHECK(bound("1", "lessThan", "%half") == "floor(T/2)");
  CHECK(bound("1", "lessThan", "%least") == "T");
  CHECK(bound("1", "lessThan", "%most") == "S + T");
  CHECK(bound("1", "lessThan", "%rest") == "T");
  CHECK(bound("1", "lessThan", "%quotient") == "floor(T/S)");
  CHECK(bound("1", "lessThan", "%share") == "T");
  CHECK(bound("1", "lessThan", "%flag") == "1");
  CHECK(bound("-1", "greaterThanOrEqual", "0", "i32", "%last") == "T");
  CHECK(bound("-2", "greaterThanOrEqual", "0", "i32", "%last") == "floor((T + 1)/2)");
}

TEST_CASE("the condition may be negated, joined with others, or about the next value") {
  const auto rounds = [](const std::string& condition, const std::string& successors) {
    return Analysed(R"(
func @f: (<T x f32>, f32) -> i32 {
'entry(%x: <T x f32>, %a: f32):
    %n = extent T: i32
    %wide = extent T: i64
    branch 'loop(0: i32)
'loop(%i: i32):
    %next = add %i: i32, 1: i32
    %high = dataTypeCast %i: i32 to i64
    %other = lessThan %a: f32, 1: f32
    %first = lessThan %i: i32, %n: i32
    %last = greaterThanOrEqual %i: i32, %n: i32
)" + condition + "    conditional %c: bool then " +
                    successors + R"(
'body():
    branch 'loop(%next: i32)
'end():
    return %i: i32
}
)")
        .rounds();
  };
  const std::string stay = "'body() else 'end()", leave = "'end() else 'body()";
  CHECK(rounds("    %c = not %last: bool\n", stay) == "T");
  CHECK(rounds("    %c = or %last: bool, %last: bool\n", leave) == "T");
  CHECK(rounds("    %c = or %last: bool, %other: bool\n", leave) == "T");
  CHECK(rounds("    %c = or %first: bool, %other: bool\n", stay).empty());
  CHECK(rounds("    %c = and %other: bool, %first: bool\n", stay) == "T");
  CHECK(rounds("    %c = and %other: bool, %last: bool\n", leave).empty());
  CHECK(rounds("    %c = lessThan %next: i32, %n: i32\n", stay) == "T");
  CHECK(rounds("    %c = lessThan %high: i64, %wide: i64\n", stay) == "T");
  CHECK(rounds("    %c = equal %n: i32, %i: i32\n", leave) == "T");
}
