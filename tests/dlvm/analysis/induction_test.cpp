#include "dlvm/analysis/induction.h"

#include "tests/dlvm/analysis/parsed.h"

using parsed::Text;
using namespace dlvm;

namespace {

/// The bound of the rounds of a loop from 0 as long as the test holds, as text; empty where there is none.
std::string bound(const std::string& step, const std::string& test, const std::string& end) {
  const Text text(R"(
func @f: (i32) -> i32 {
'entry(%n: i32):
    branch 'loop(0: i32)
'loop(%i: i32):
    %more = )" + test +
                  " %i: i32, " + end + R"(: i32
    conditional %more: bool then 'body() else 'end()
'body():
    %next = add %i: i32, )" +
                  step + R"(: i32
    branch 'loop(%next: i32)
'end():
    return %i: i32
}
)");
  const ControlFlow flow(text.function());
  const DominatorTree dominators(flow);
  const LoopNest nest(flow, dominators);
  REQUIRE(nest.loops().size() == 1);
  const auto found = trip_bound(*nest.loops()[0], dominators);
  return found ? found->times.text() : "";
}

}  // namespace

TEST_CASE("the rounds of a loop have a bound where its variable reaches the end before it wraps") {
  CHECK(bound("1", "lessThan", "10") == "10");
  CHECK(bound("1", "lessThanOrEqual", "10") == "11");
  CHECK(bound("-1", "greaterThan", "-10") == "10");
  CHECK(bound("-1", "greaterThanOrEqual", "-10") == "11");
  CHECK(bound("65536", "lessThan", "2147418111") == "2147418111");
  CHECK(bound("-65536", "greaterThan", "-2147418111") == "2147418111");
  CHECK(bound("65537", "lessThan", "10").empty());
  CHECK(bound("-65537", "greaterThan", "-10").empty());
  CHECK(bound("1", "lessThan", "2147418112").empty());
  CHECK(bound("-1", "greaterThan", "-2147418112").empty());
}

TEST_CASE("a loop whose variable goes the other way, or stands still, has no bound") {
  CHECK(bound("-1", "lessThan", "10").empty());
  CHECK(bound("1", "greaterThan", "-10").empty());
  CHECK(bound("0", "lessThan", "10").empty());
  CHECK(bound("1", "notEqual", "10").empty());
  CHECK(bound("1", "lessThan", "%n").empty());
}
