#include "tests/dlvm/analysis/analysed.h"

using parsed::Analysed;

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
