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

TEST_CASE("what is compared with the steps of a loop or the positions of an axis is a length") {
  const Text text(R"(
func @length: (<B x i64>, i64, i32, i64, <N x f32>) -> (f32, <N x bool>, <N x bool>) {
'entry(%lengths: <B x i64>, %n: i64, %both: i32, %other: i64, %x: <N x f32>):
    %steps = extent 2*N: i64
    %positions = iota N along 0: i64
    %mask = greaterThan %n: i64, %positions: <N x i64>
    %at = gather %x: <N x f32> at %both: i32 along 0
    %wide = dataTypeCast %both: i32 to i64
    %equal = equal %positions: <N x i64>, %wide: i64
    branch 'head(0: i64)
'head(%t: i64):
    %more = lessThan %t: i64, %steps: i64
    conditional %more: bool then 'step() else 'end()
'step():
    %far = lessThan %other: i64, 7: i64
    %rows = shapeCast %lengths: <B x i64> to B x 1
    %inside = lessThan %t: i64, %rows: <B x 1 x i64>
    %next = add %t: i64, 1: i64
    branch 'head(%next: i64)
'end():
    return (%at: f32, %mask: <N x bool>, %equal: <N x bool>)
}
func @f: (<B x i64>, i64, <N x f32>) -> (f32, <N x bool>, <N x bool>) {
'entry(%lengths: <B x i64>, %n: i64, %x: <N x f32>):
    %more = add %lengths: <B x i64>, 1: i64
    %y = apply @length(%more: <B x i64>, %n: i64, 0: i32, %n: i64, %x: <N x f32>) -> (f32, <N x bool>, <N x bool>)
    return %y: (f32, <N x bool>, <N x bool>)
}
)");
  const Extent n = Extent::dimension("N");
  const auto ranges = index_ranges(*text.module().function("length"));
  REQUIRE(ranges[0].size() == 1);
  CHECK((ranges[0][0].first == Extent(0) && ranges[0][0].end == n * 2 + 1 && !ranges[0][0].demanded));
  REQUIRE(ranges[1].size() == 1);
  CHECK((ranges[1][0].end == n + 1 && !ranges[1][0].demanded));
  REQUIRE(ranges[2].size() == 2);
  CHECK((ranges[2][0].demanded && ranges[2][0].end == n));
  CHECK(!ranges[2][1].demanded);
  CHECK(ranges[3].empty());
  const auto around = index_ranges(*text.module().function("f"));
  REQUIRE(around[0].size() == 1);
  CHECK((around[0][0].first == Extent(-1) && around[0][0].end == n * 2 && !around[0][0].demanded));
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
