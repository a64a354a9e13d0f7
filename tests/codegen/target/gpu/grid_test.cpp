// Grids that compute the same are one kernel, whichever schedule or variant they come from.
#include "codegen/target/gpu/grid.h"

#include <doctest/doctest.h>

#include "codegen/schedule/ir/scheduled_program.h"
#include "codegen/schedule/text/text.h"

using namespace codegen;

namespace {

constexpr const char* text = R"(schedule @copies(x: <N x f32>, y: <N x f32> written, z: <N x f32> written) {
  arena work: <N x f32>
  registers r: <1 x f32>
  registers unused: <1 x f32>
  variant when (N from 0 upto 9) {
    allocate work
    block $b0 in N { allocate unused %0: f32 = load x[$b0] store %0 to work[$b0] }
    block $b1 in N { %1: f32 = load work[$b1] store %1 to y[$b1] }
  }
  variant {
    block $b7 in N { %3: f32 = load y[$b7] store %3 to z[$b7] }
    block $b8 in N { allocate r %4: f32 = load y[$b8] store %4 to r[0] %5: f32 = load r[0] store %5 to z[$b8] }
    block $b9 in N { %6: f32 = load z[$b9] store %6 to z[$b9] }
  }
})";

std::vector<target::gpu::GridSchedule> grids_of(const schedule::Schedule& schedule) {
  std::vector<target::gpu::GridSchedule> grids;
  for (const auto& variant : schedule.variants)
    for (const auto& statement : variant.body)
      if (const auto* loop = std::get_if<schedule::Loop>(&statement.node))
        grids.push_back(target::gpu::extract_grid(schedule, *loop));
  return grids;
}

}  // namespace

TEST_CASE("a grid takes the buffers that it touches, and grids that compute the same are equal") {
  std::string error;
  const auto whole = schedule::parse_schedule(text, error);
  REQUIRE_MESSAGE(whole, error);
  const auto grids = grids_of(*whole);
  REQUIRE(grids.size() == 5);
  using Buffers = std::vector<schedule::BufferId>;
  CHECK(grids[0].arguments == Buffers{0, 3});
  CHECK(grids[1].arguments == Buffers{3, 1});
  CHECK(grids[2].arguments == Buffers{1, 2});
  CHECK(grids[3].arguments == Buffers{1, 2});
  CHECK(grids[4].arguments == Buffers{2});
  const auto structure = [&](std::size_t i) { return canonical_key(grids[i].schedule, {}, {"N"}); };
  CHECK(structure(0) == structure(1));
  CHECK(structure(0) == structure(2));
  CHECK(structure(0) != structure(3));
  CHECK(structure(0) != structure(4));
  CHECK(grids[3].schedule.buffers.size() == 3);
}
