#include <fmt/format.h>

#include "tests/dlvm/analysis/analysed.h"

using parsed::Analysed;

namespace {

/// Returns the bound of the rounds of a loop that goes on where one of two ways ends, as text.
std::string bound_of_two_ways(const std::string& first, const std::string& second, const std::string& test,
                              const std::string& ways) {
  return Analysed(fmt::format(R"(
func @f: (bool, <T x f32>) -> i32 {{
'entry(%c: bool, %x: <T x f32>):
    %n = extent T: i32
    branch 'loop(0: i32)
'loop(%i: i32):
    %more = {2} %i: i32, %n: i32
    conditional %more: bool then 'body() else 'end()
'body():
    %a = add %i: i32, {0}: i32
    %b = add %i: i32, {1}: i32
    {3}
'end():
    return %i: i32
}}
)",
                              first, second, test, ways))
      .rounds();
}

}  // namespace

TEST_CASE("the ways on which a loop goes on may have steps of their own") {
  const std::string latches = R"(conditional %c: bool then 'loop(%a: i32) else 'loop(%b: i32))";
  const std::string blocks = R"(conditional %c: bool then 'one() else 'two()
'one():
    branch 'loop(%a: i32)
'two():
    branch 'loop(%b: i32))";
  const std::string shared = R"(conditional %c: bool then 'latch(%a: i32) else 'latch(%b: i32)
'latch(%j: i32):
    branch 'loop(%j: i32))";
  const std::string select = R"(%j = select %a: i32, %b: i32 by %c: bool
    branch 'loop(%j: i32))";
  const std::string behind = R"(conditional %c: bool then 'latch(%a: i32) else 'latch(%b: i32)
'latch(%j: i32):
    %k = add %j: i32, 1: i32
    branch 'loop(%k: i32))";
  for (const std::string& ways : {latches, blocks, shared, select}) {
    CAPTURE(ways);
    CHECK(bound_of_two_ways("1", "1", "lessThan", ways) == "T");
    CHECK(bound_of_two_ways("2", "3", "lessThan", ways) == "floor((T + 1)/2)");
    CHECK(bound_of_two_ways("1", "65536", "lessThan", ways) == "T");
    CHECK(bound_of_two_ways("1", "65538", "lessThan", ways).empty());  // it may wrap around
    CHECK(bound_of_two_ways("1", "0", "lessThan", ways).empty());
    CHECK(bound_of_two_ways("1", "-1", "lessThan", ways).empty());
    CHECK(bound_of_two_ways("1", "1", "notEqual", ways) == "T");
    CHECK(bound_of_two_ways("1", "2", "notEqual", ways).empty());
  }
  CHECK(bound_of_two_ways("1", "0", "lessThan", behind) == "T");
  CHECK(bound_of_two_ways("1", "-1", "lessThan", behind).empty());
}

/// The bound of the rounds of a loop of two ways, each with a step and a test of its own, as text.
std::string bound_of_two_tests(const std::string& first, const std::string& second,
                               const std::string& first_test, const std::string& second_test,
                               const std::string& type = "i32") {
  return Analysed(fmt::format(R"(
func @f: (bool, <T x f32>, <U x f32>) -> {4} {{
'entry(%c: bool, %x: <T x f32>, %y: <U x f32>):
    %n = extent T: i32
    %m = extent U: i32
    branch 'loop(0: {4})
'loop(%i: {4}):
    %a = add %i: {4}, {0}: {4}
    %b = add %i: {4}, {1}: {4}
    conditional %c: bool then 'one() else 'two()
'one():
    %d = {2}
    conditional %d: bool then 'loop(%a: {4}) else 'end(%a: {4})
'two():
    %e = {3}
    conditional %e: bool then 'loop(%b: {4}) else 'end(%b: {4})
'end(%r: {4}):
    return %r: {4}
}}
)",
                              first, second, first_test, second_test, type))
      .rounds();
}

TEST_CASE("each way on which a loop goes on may have a test of the same counter") {
  const std::string a = "lessThan %a: i32, %n: i32", b = "lessThan %b: i32, %n: i32",
                    b_other = "lessThan %b: i32, %m: i32", i = "lessThan %i: i32, %n: i32";
  CHECK(bound_of_two_tests("1", "1", a, b) == "T");
  CHECK(bound_of_two_tests("1", "3", a, b) == "T");
  CHECK(bound_of_two_tests("1", "1", i, b) == "T");
  CHECK(bound_of_two_tests("1", "1", a, b_other) == "T + U");
  CHECK(bound_of_two_tests("2", "2", a, "lessThanOrEqual 40: i32, %b: i32").empty());  // no end
  CHECK(bound_of_two_tests("1", "0", a, b).empty());
  CHECK(bound_of_two_tests("1", "-1", a, b).empty());
  CHECK(bound_of_two_tests("1", "1", a, "notEqual %b: i32, %n: i32").empty());
  CHECK(bound_of_two_tests("1", "1", a, "equal %n: i32, %m: i32").empty());
  // What one test allows is too much for the next sum.
  const std::string small_a = "lessThan %a: i8, 60: i8", small_b = "lessThan %b: i8, 60: i8",
                    large_a = "lessThan %a: i8, 100: i8";
  CHECK(bound_of_two_tests("1", "30", small_a, small_b, "i8") == "59");
  CHECK(bound_of_two_tests("1", "30", large_a, small_b, "i8").empty());
}

TEST_CASE("a test of the next value bounds a loop in which ways with other steps meet before it") {
  const auto rounds = [](const std::string& test, const std::string& type) {
    return Analysed(fmt::format(R"(
func @f: (bool, <T x f32>) -> {0} {{
'entry(%c: bool, %x: <T x f32>):
    %n = extent T: {0}
    branch 'loop(0: {0}, 0: i64)
'loop(%i: {0}, %matches: i64):
    %a = add %i: {0}, 1: {0}
    %b = add %i: {0}, 3: {0}
    %m = add %matches: i64, 1: i64
    conditional %c: bool then 'latch(%a: {0}, %m: i64) else 'latch(%b: {0}, %matches: i64)
'latch(%j: {0}, %k: i64):
    %more = {1} %j: {0}, {2}: {0}
    conditional %more: bool then 'loop(%j: {0}, %k: i64) else 'end()
'end():
    return %i: {0}
}}
)",
                                type, test, type == "i8" ? "120" : "%n"));
  };
  CHECK(rounds("lessThan", "i32").rounds() == "T");
  CHECK(rounds("lessThan", "i32").of("loop", 0) == " upto 3*T");  // for some T, 3 T wraps around
  CHECK(rounds("lessThan", "i32").of("loop", 1) == "0 upto T");
  CHECK(rounds("greaterThan", "i32").rounds().empty());
  CHECK(rounds("lessThan", "i8").rounds() == "119");
  CHECK(rounds("lessThanOrEqual", "i8").rounds() == "120");
}

TEST_CASE("each way may have a test of the same counter behind an exit that bounds nothing") {
  CHECK(Analysed(R"(
func @f: (bool, <T x f32>) -> i32 {
'entry(%c: bool, %x: <T x f32>):
    %n = extent T: i32
    branch 'loop(0: i32)
'loop(%i: i32):
    %a = add %i: i32, 1: i32
    %b = add %i: i32, 3: i32
    conditional %c: bool then 'ways() else 'end(%i: i32)
'ways():
    conditional %c: bool then 'one() else 'two()
'one():
    %d = lessThan %a: i32, %n: i32
    conditional %d: bool then 'loop(%a: i32) else 'end(%a: i32)
'two():
    %e = lessThan %b: i32, %n: i32
    conditional %e: bool then 'loop(%b: i32) else 'end(%b: i32)
'end(%r: i32):
    return %r: i32
}
)")
            .rounds() == "T");
}

TEST_CASE("a loop whose test one of its ways does not meet has no bound") {
  CHECK(Analysed(R"(
func @f: (bool, <T x f32>) -> i32 {
'entry(%c: bool, %x: <T x f32>):
    %n = extent T: i32
    branch 'loop(0: i32)
'loop(%i: i32):
    %j = add %i: i32, 1: i32
    conditional %c: bool then 'loop(%j: i32) else 'test()
'test():
    %more = lessThan %j: i32, %n: i32
    conditional %more: bool then 'loop(%j: i32) else 'end()
'end():
    return %i: i32
}
)")
            .rounds()
            .empty());
}

TEST_CASE("what an outer loop does between two runs of a loop is no way round the tests of the inner one") {
  CHECK(Analysed(R"(
func @f: (bool, <T x f32>) -> i32 {
'entry(%c: bool, %x: <T x f32>):
    %n = extent T: i32
    branch 'outer()
'outer():
    branch 'loop(0: i32)
'loop(%i: i32):
    %a = add %i: i32, 1: i32
    %b = add %i: i32, 3: i32
    conditional %c: bool then 'ways() else 'end(%i: i32)
'ways():
    conditional %c: bool then 'one() else 'two()
'one():
    %d = lessThan %a: i32, %n: i32
    conditional %d: bool then 'loop(%a: i32) else 'end(%a: i32)
'two():
    %e = lessThan %b: i32, %n: i32
    conditional %e: bool then 'loop(%b: i32) else 'end(%b: i32)
'end(%r: i32):
    conditional %c: bool then 'outer() else 'done()
'done():
    return %r: i32
}
)")
            .rounds(1) == "T");
}
