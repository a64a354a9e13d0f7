#include "codegen/schedule/gpu/barriers.h"

#include <doctest/doctest.h>

#include "codegen/schedule/ir/walk.h"
#include "codegen/schedule/text/text.h"

namespace schedule_tests {
namespace {

using codegen::schedule::Barrier;
using codegen::schedule::Schedule;

/// Threads write to shared memory and read what others wrote, inside of `depth` loops.
Schedule nest(int depth) {
  std::string open, close;
  for (int i = 1; i <= depth; ++i) {
    open += "for $l" + std::to_string(i) + " in N {\n";
    close += "}\n";
  }
  const std::string text =
      "schedule @s(y: <64 x f32> written) {\nshared s: <64 x f32>\nvariant {\nblock $b0 in 1 {\nallocate "
      "s\n" +
      open + "thread $t100 in 64 { %0: f32 = position $t100 store %0 to s[$t100] }\n" +
      "thread $u101 in 64 { %1: f32 = load s[-$u101 + 63] store %1 to y[$u101] }\n" + close + "}\n}\n}\n";
  std::string error;
  auto schedule = codegen::schedule::parse_schedule(text, error);
  REQUIRE_MESSAGE(schedule.has_value(), error);
  return std::move(*schedule);
}

std::size_t barriers(const Schedule& schedule) {
  std::size_t count = 0;
  codegen::schedule::walk<Barrier>(schedule.variants[0].body, [&](const Barrier&) { ++count; });
  return count;
}

}  // namespace

TEST_CASE("barriers: before what others wrote is read, and before a next trip writes again") {
  for (const int depth : {0, 1, 2, 3}) {
    Schedule schedule = nest(depth);
    codegen::schedule::gpu::insert_barriers(schedule);
    CHECK(barriers(schedule) == (depth == 0 ? 1 : 2));
  }
}

TEST_CASE("barriers: putting them in again adds none") {
  Schedule schedule = nest(3);
  codegen::schedule::gpu::insert_barriers(schedule);
  const Schedule once = schedule;
  codegen::schedule::gpu::insert_barriers(schedule);
  CHECK(schedule == once);
}

TEST_CASE("barriers: the time is not exponential in the depth of loops") {
  Schedule schedule = nest(60);
  codegen::schedule::gpu::insert_barriers(schedule);
  CHECK(barriers(schedule) == 2);
}

}  // namespace schedule_tests
