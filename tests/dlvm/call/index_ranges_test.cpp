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

TEST_CASE("what is added to an index, on either side, or taken from it moves its range") {
  const Text text(R"(
func @f: (i32, i32, i32, i32, <5 x f32>) -> (f32, f32, f32) {
'entry(%a: i32, %b: i32, %c: i32, %d: i32, %x: <5 x f32>):
    %p = add %a: i32, 2: i32
    %y = gather %x: <5 x f32> at %p: i32 along 0
    %q = add 2: i32, %b: i32
    %z = gather %x: <5 x f32> at %q: i32 along 0
    %r = subtract %c: i32, 2: i32
    %w = gather %x: <5 x f32> at %r: i32 along 0
    %s = subtract 2: i32, %d: i32
    %v = gather %x: <5 x f32> at %s: i32 along 0
    return (%y: f32, %z: f32, %w: f32)
}
)");
  const auto ranges = index_ranges(text.function());
  const std::pair<int, int> expected[]{{-2, 3}, {-2, 3}, {2, 7}};
  for (std::size_t i = 0; i < 3; ++i) {
    REQUIRE(ranges[i].size() == 1);
    CHECK(ranges[i][0].first == Extent(expected[i].first));
    CHECK(ranges[i][0].end == Extent(expected[i].second));
  }
  CHECK(ranges[3].empty());
}

TEST_CASE("an index has the range of the axis that it is of, and that of each of its uses once") {
  const Text text(R"(
func @f: (i32, i32, <5 x N x f32>) -> (f32, <5 x N x f32>) {
'entry(%i: i32, %j: i32, %x: <5 x N x f32>):
    %y = gather %x: <5 x N x f32> at %i: i32, %j: i32 along 0, 1
    %z = gather %x: <5 x N x f32> at %i: i32, %j: i32 along 0, 1
    %s = scatter %y: f32 to %x: <5 x N x f32> at %i: i32, %j: i32 along 0, 1 by add
    %k = checkIndex %i: i32 from 1 upto 3
    return (%z: f32, %s: <5 x N x f32>)
}
)");
  const auto ranges = index_ranges(text.function());
  REQUIRE(ranges[0].size() == 2);
  CHECK(ranges[0][0].end == Extent(5));
  CHECK(ranges[0][1].first == Extent(1));
  CHECK(ranges[0][1].end == Extent(3));
  REQUIRE(ranges[1].size() == 1);
  CHECK(ranges[1][0].first == Extent(0));
  CHECK(ranges[1][0].end == Extent::dimension("N"));
  CHECK(ranges[2].empty());
}

TEST_CASE("integers to which others are scattered are followed to where they are indices") {
  const Text text(R"(
func @f: (<3 x i32>, i32, <5 x f32>) -> <3 x f32> {
'entry(%i: <3 x i32>, %j: i32, %x: <5 x f32>):
    %s = scatter 1: i32 to %i: <3 x i32> at %j: i32 by add along 0
    %y = gather %x: <5 x f32> at %s: <3 x i32> along 0
    return %y: <3 x f32>
}
)");
  const auto ranges = index_ranges(text.function());
  REQUIRE(ranges[0].size() == 1);
  CHECK(ranges[0][0].end == Extent(5));
  REQUIRE(ranges[1].size() == 1);
  CHECK(ranges[1][0].end == Extent(3));
}

TEST_CASE("ranges are followed into calls, with the extents of the caller") {
  const Text text(R"(
func @pick: (<M x f32>, i32) -> f32 {
'entry(%x: <M x f32>, %i: i32):
    %k = subtract %i: i32, 1: i32
    %y = gather %x: <M x f32> at %k: i32 along 0
    return %y: f32
}
func @f: (<7 x f32>, i32) -> f32 {
'entry(%x: <7 x f32>, %i: i32):
    %k = add %i: i32, 3: i32
    %y = apply @pick(%x: <7 x f32>, %k: i32) -> f32
    return %y: f32
}
)");
  const auto ranges = index_ranges(text.function());
  REQUIRE(ranges[1].size() == 1);
  CHECK(ranges[1][0].first == Extent(-2));
  CHECK(ranges[1][0].end == Extent(5));
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
