#include "dlvm/analysis/trip_counts.h"

#include <fmt/format.h>

#include "tests/dlvm/analysis/parsed.h"

using namespace dlvm;

namespace {

/// The rounds of each loop of a text's function `f`, those outside first, with spaces between them; `-` where
/// they are not known.
std::string rounds(const std::string& text) {
  const parsed::Text module(text);
  const ControlFlow flow(module.function());
  const LoopNest loops(flow, DominatorTree(flow));
  TripCounts counts(flow, loops);
  std::string all;
  for (const auto& loop : loops.loops()) {
    const auto found = counts.rounds(*loop);
    all += (all.empty() ? "" : " ") + (found ? fmt::format("({})", found->text()) : "-");
  }
  return all;
}

/// The rounds of a loop that goes on while a test of its counter holds.
std::string counted(const std::string& start, const std::string& test, const std::string& next,
                    const std::string& type = "i64") {
  return rounds(fmt::format(R"(
func @f: (<T x f32>, {0}) -> {0} {{
'entry(%x: <T x f32>, %n: {0}):
    %length = extent T: {0}
    branch 'loop({1}: {0})
'loop(%i: {0}):
    %more = {2}
    conditional %more: bool then 'body() else 'end()
'body():
    %next = {3}
    branch 'loop(%next: {0})
'end():
    return %i: {0}
}}
)",
                            type, start, test, next));
}

/// The same of a counter of 8 bits, which is counted; `-` where the loop does not end.
template <typename Counter>
std::string simulated(int start, const std::string& test, int end, int step) {
  auto counter = static_cast<Counter>(start);
  for (int rounds = 0; rounds <= 256; ++rounds, counter = static_cast<Counter>(counter + step)) {
    const bool holds = test == "lessThan"          ? counter < end
                       : test == "lessThanOrEqual" ? counter <= end
                       : test == "greaterThan"     ? counter > end
                                                   : counter >= end;
    if (!holds) return fmt::format("({})", rounds);
  }
  return "-";
}

/// Compares all that is known of counters that go from one of the numbers to another; returns how much.
template <typename Counter>
int compare(const std::string& type, const std::vector<int>& numbers) {
  int known = 0;
  for (const std::string test : {"lessThan", "lessThanOrEqual", "greaterThan", "greaterThanOrEqual"})
    for (const int start : numbers)
      for (const int end : numbers)
        for (const int step : {-100, -3, -1, 0, 1, 2, 100}) {
          const std::string found = counted(
              std::to_string(start), fmt::format("{} %i: {}, {}: {}", test, type, end, type),
              fmt::format("{} %i: {}, {}: {}", step < 0 ? "subtract" : "add", type, std::abs(step), type),
              type);
          if (found == "-") continue;
          ++known;
          CAPTURE(test);
          CAPTURE(start);
          CAPTURE(end);
          CAPTURE(step);
          CHECK(found == simulated<Counter>(start, test, end, step));
        }
  return known;
}

}  // namespace

TEST_CASE("a loop goes round as often as its counter is compared with success") {
  CHECK(counted("0", "lessThan %i: i64, %length: i64", "add %i: i64, 1: i64") == "(T)");
  CHECK(counted("0", "lessThanOrEqual %i: i64, %length: i64", "add %i: i64, 1: i64") == "(T + 1)");
  CHECK(counted("0", "greaterThan %length: i64, %i: i64", "add 1: i64, %i: i64") == "(T)");
  CHECK(counted("%length", "greaterThan %i: i64, 0: i64", "subtract %i: i64, 1: i64") == "(T)");
  CHECK(counted("%length", "greaterThanOrEqual %i: i64, 1: i64", "subtract %i: i64, 1: i64") == "(T)");
  CHECK(counted("0", "lessThan %i: i64, %length: i64", "add %i: i64, 3: i64") == "(floor((T + 2)/3))");
  CHECK(counted("2", "lessThan %i: i64, 13: i64", "add %i: i64, 4: i64") == "(3)");
  CHECK(counted("0", "lessThan %i: i32, %length: i32", "add %i: i32, 1: i32", "i32") == "(T)");
}

TEST_CASE("no number of rounds is given that may be wrong") {
  CHECK(counted("2", "lessThan %i: i64, %length: i64", "add %i: i64, 1: i64") == "-");  // T may be below 2
  CHECK(counted("0", "lessThan %i: i64, %n: i64", "add %i: i64, 1: i64") == "-");
  CHECK(counted("%n", "lessThan %i: i64, %length: i64", "add %i: i64, 1: i64") == "-");
  CHECK(counted("0", "lessThan %i: i64, %length: i64", "add %i: i64, %n: i64") == "-");
  CHECK(counted("0", "lessThan %i: i64, %length: i64", "subtract %i: i64, 1: i64") == "-");
  CHECK(counted("0", "lessThan %i: i64, %i: i64", "add %i: i64, 1: i64") == "-");
  CHECK(counted("0", "notEqual %i: i64, %length: i64", "add %i: i64, 1: i64") == "-");
  // The counter wraps before it is 128.
  CHECK(counted("0", "lessThanOrEqual %i: i8, 127: i8", "add %i: i8, 1: i8", "i8") == "-");
  CHECK(counted("0", "lessThanOrEqual %i: i8, 126: i8", "add %i: i8, 1: i8", "i8") == "(127)");
}

TEST_CASE("counters that may wrap around go round as often as is known") {
  CHECK(compare<std::int8_t>("i8", {-128, -127, -1, 0, 1, 99, 126, 127}) > 200);
  CHECK(compare<std::uint8_t>("u8", {0, 1, 2, 100, 155, 254, 255}) > 200);
}

TEST_CASE("a loop counts down what another one has counted") {
  CHECK(rounds(R"(
func @f: (<T x f32>) -> i64 {
'entry(%x: <T x f32>):
    %length = extent T: i64
    branch 'up(0: i64, 3: i64)
'up(%i: i64, %depth: i64):
    %top = add %depth: i64, 1: i64
    %more = lessThan %i: i64, %length: i64
    conditional %more: bool then 'body() else 'down(%top: i64, %i: i64)
'body():
    %next = add %i: i64, 1: i64
    branch 'up(%next: i64, %top: i64)
'down(%k: i64, %left: i64):
    %low = subtract %k: i64, 4: i64
    %again = greaterThan %low: i64, 0: i64
    conditional %again: bool then 'back() else 'end()
'back():
    %less = subtract %k: i64, 1: i64
    branch 'down(%less: i64, %left: i64)
'end():
    return %k: i64
}
)") == "(T) (T)");
}

TEST_CASE("the rounds of a loop are known each time that it is entered") {
  const std::string nest = R"(
func @f: (<T x f32>) -> i64 {{
'entry(%x: <T x f32>):
    %length = extent T: i64
    branch 'outer(0: i64)
'outer(%i: i64):
    %more = lessThan %i: i64, 5: i64
    conditional %more: bool then 'before() else 'end()
'before():
    branch 'inner({}: i64)
'inner(%k: i64):
    %again = lessThan %k: i64, %length: i64
    conditional %again: bool then 'body() else 'after()
'body():
    %next = add %k: i64, 1: i64
    branch 'inner(%next: i64)
'after():
    %j = add %i: i64, 1: i64
    branch 'outer(%j: i64)
'end():
    return %i: i64
}}
)";
  CHECK(rounds(fmt::format(fmt::runtime(nest), "0")) == "(5) (T)");
  CHECK(rounds(fmt::format(fmt::runtime(nest), "%i")) == "(5) -");
}
