#include "dlvm/analysis/bounds.h"

#include <fmt/format.h>

#include "tests/dlvm/analysis/parsed.h"

using parsed::Text;
using namespace dlvm;

namespace {

/// The analyses of `f`.
struct Analysed {
  explicit Analysed(const std::string& text) : text(text) {}
  Text text;
  ControlFlow flow{text.function()};
  DominatorTree dominators{flow};
  LoopNest nest{flow, dominators};
  Bounds bounds{flow, dominators, nest};

  std::string rounds(std::size_t loop = 0) {
    const auto found = bounds.rounds(*nest.loops()[loop]);
    return found ? found->times.text() : "";
  }
  /// "lower upto upper" of the argument of a block; a bound that is not known is empty.
  std::string of(std::string_view block, std::size_t argument = 0) {
    const IntegerBounds found = bounds.of(*text.block(block)->arguments()[argument]);
    const auto written = [](const std::optional<Extent>& bound) { return bound ? bound->text() : ""; };
    return written(found.lower) + " upto " + written(found.upper);
  }
};

/// The bound of the rounds of a loop from `start` as long as the test holds, as text; empty where there is
/// none.
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

/// The bound of the rounds of a loop that goes on where one of two ways ends, as text.
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

TEST_CASE("a counter has a bound behind its loop, through arguments, stacks and casts") {
  Analysed f(R"(
func @f: (bool, <T x f32>) -> i64 {
'entry(%c: bool, %x: <T x f32>):
    %s = createStack
    %n = extent T: i32
    branch 'up(0: i32)
'up(%i: i32):
    %more = lessThan %i: i32, %n: i32
    conditional %more: bool then 'step() else 'between(%i: i32)
'step():
    %pair = literal (%c: bool, %i: i32)
    push %pair: (bool, i32) to %s: stack
    %u = add %i: i32, 1: i32
    branch 'up(%u: i32)
'between(%k: i32):
    %popped = pop (bool, i32) from %s: stack
    %part = extract 1 from %popped: (bool, i32)
    conditional %c: bool then 'join(%k: i32) else 'join(%part: i32)
'join(%start: i32):
    branch 'down(%start: i32, 0: i64, 7: i64)
'down(%j: i32, %rounds: i64, %same: i64):
    %left = greaterThan %j: i32, 0: i32
    %j1 = subtract %j: i32, 1: i32
    %rounds1 = add %rounds: i64, 1: i64
    conditional %left: bool then 'down(%j1: i32, %rounds1: i64, %same: i64) else 'end(%rounds: i64)
'end(%r: i64):
    return %r: i64
}
)");
  CHECK(f.of("up") == "0 upto T");
  CHECK(f.of("between") == "0 upto T");
  CHECK(f.of("join") == "0 upto T");
  CHECK(f.rounds(1) == "T");
  CHECK(f.of("down", 1) == "0 upto T");
  CHECK(f.of("down", 2) == "7 upto 7");
  CHECK(f.of("end") == "0 upto T");
}

TEST_CASE("a block runs as often as the rounds of the loops around it") {
  Analysed f(R"(
func @f: (<T x f32>) -> () {
'entry(%x: <T x f32>):
    %n = extent T: i32
    branch 'outer(0: i32)
'outer(%i: i32):
    %more = lessThan %i: i32, %n: i32
    conditional %more: bool then 'before() else 'end()
'before():
    branch 'inner(0: i32)
'inner(%j: i32):
    %again = lessThan %j: i32, %i: i32
    conditional %again: bool then 'body() else 'behind()
'body():
    %j1 = add %j: i32, 1: i32
    branch 'inner(%j1: i32)
'behind():
    %i1 = add %i: i32, 1: i32
    branch 'outer(%i1: i32)
'end():
    return
}
)");
  const auto runs = [&](std::string_view block) { return f.bounds.most_runs(*f.text.block(block))->text(); };
  CHECK(runs("outer") == "T + 1");
  CHECK(runs("behind") == "T");
  CHECK(runs("body") == "T*T");
  CHECK(f.bounds.ends(*f.nest.loops()[0]));
}

TEST_CASE("a block whose end tests whether it runs again runs once more than the test holds") {
  Analysed f(R"(
func @f: () -> () {
'entry():
    branch 'loop(0: i32)
'loop(%i: i32):
    %i1 = add %i: i32, 1: i32
    %more = lessThan %i1: i32, 3: i32
    conditional %more: bool then 'loop(%i1: i32) else 'end()
'end():
    return
}
)");
  CHECK(f.rounds() == "2");
  CHECK(f.bounds.most_runs(*f.text.block("loop"))->text() == "3");
}
