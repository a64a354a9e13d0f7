#include "dlvm/call/random_inputs.h"
#include "tests/dlvm/analysis/parsed.h"

using parsed::Text;
using namespace dlvm;

TEST_CASE("ranges of indices are followed through the arguments of blocks, and once round a loop") {
  const Text text(R"(
func @f: (i32, <5 x f32>) -> f32 {
'entry(%i: i32, %x: <5 x f32>):
    branch 'head(%i: i32)
'head(%k: i32):
    %next = add %k: i32, 1: i32
    %more = lessThan %next: i32, 3: i32
    conditional %more: bool then 'head(%next: i32) else 'done(%next: i32)
'done(%at: i32):
    %y = gather %x: <5 x f32> at %at: i32 along 0
    return %y: f32
}
)");
  const auto ranges = index_ranges(text.function());
  REQUIRE(ranges[0].size() == 1);
  CHECK(ranges[0][0].first == Extent(-1));
  CHECK(ranges[0][0].end == Extent(4));
}

TEST_CASE("what else than a sum is computed of an index says nothing of its range") {
  const Text text(R"(
func @f: (i32, i32, bool, <5 x f32>) -> (f32, f32) {
'entry(%i: i32, %j: i32, %c: bool, %x: <5 x f32>):
    %k = multiply %i: i32, 2: i32
    %y = gather %x: <5 x f32> at %k: i32 along 0
    %l = select %j: i32, 0: i32 by %c: bool
    %z = gather %x: <5 x f32> at %l: i32 along 0
    return (%y: f32, %z: f32)
}
)");
  const auto ranges = index_ranges(text.function());
  CHECK(ranges[0].empty());
  REQUIRE(ranges[1].size() == 1);
  CHECK(ranges[1][0].end == Extent(5));
  CHECK(ranges[2].empty());
}
