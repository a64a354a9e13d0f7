// Kernels that run whole loops, with the threads of their block in any order.
#include <doctest/doctest.h>

#include "codegen/kernel/build/build.h"
#include "dlvm/pipeline.h"
#include "dlvm/text/parse.h"
#include "tests/codegen/scheduled.h"
#include "tests/codegen/target/emulator/emulated.h"

namespace {

/// The two sums that depend on each other take one warp, which has a barrier; the row takes eight warps, and
/// stands behind a condition.
constexpr const char* text = R"(stage canonical
func @f: (<2 x f32>, <10 x f32>) -> (<10 x f32>, f32) {
'entry(%x: <2 x f32>, %v: <10 x f32>):
    branch 'head(0: i32, %v: <10 x f32>, 1: f32)
'head(%i: i32, %w: <10 x f32>, %t: f32):
    %more = lessThan %i: i32, 3: i32
    conditional %more: bool then 'body() else 'end()
'body():
    %a0 = multiply %x: <2 x f32>, %t: f32
    %a = reduce %a0: <2 x f32> by add init 0: f32 along 0
    %b0 = multiply %x: <2 x f32>, %a: f32
    %b = reduce %b0: <2 x f32> by add init 0: f32 along 0
    %i2 = add %i: i32, 1: i32
    %wide = greaterThan %b: f32, 4: f32
    conditional %wide: bool then 'wide() else 'next(%w: <10 x f32>)
'wide():
    %w1 = add %w: <10 x f32>, %b: f32
    branch 'next(%w1: <10 x f32>)
'next(%w2: <10 x f32>):
    branch 'head(%i2: i32, %w2: <10 x f32>, %b: f32)
'end():
    %r = literal (%w: <10 x f32>, %t: f32)
    return %r: (<10 x f32>, f32)
}
)";

}  // namespace

TEST_CASE("a fused loop has kernels of one warp and kernels of several") {
  dlvm::Sources sources;
  dlvm::Diagnostics diagnostics;
  const auto module = dlvm::parse(*sources.add("teams.dl", text), sources, diagnostics);
  REQUIRE_MESSAGE(module != nullptr, render(diagnostics));
  REQUIRE(dlvm::lower_control_flow(*module, diagnostics));
  auto program = codegen::kernel::build(*module->function("f"), diagnostics);
  REQUIRE_MESSAGE(program, render(diagnostics));
  const test::EmulatedProgram emulated(test::scheduled_for_gpu(std::move(*program), 80));
  CHECK(!emulated.has_graph());  // one kernel decides all conditions
  dlvm::Tensor x(dlvm::ElementType::f32, {2}), v(dlvm::ElementType::f32, {10});
  x.set(0, 1.0);
  x.set(1, 1.0);
  v.set(9, 5.0);
  for (std::uint64_t order = 0; order < 20; ++order) {
    const auto run = emulated.run({{x, v}, {}}, order);
    REQUIRE_MESSAGE(run.error.empty(), run.error);
    CHECK(run.outputs[0].real(0) == 16 + 64);
    CHECK(run.outputs[0].real(9) == 16 + 64 + 5);
    CHECK(run.outputs[1].real(0) == 64);
  }
}
