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
constexpr const char* teams = R"(stage canonical
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

/// Goes on as long as the first position is not 0, which a wrong one never becomes.
constexpr const char* gathering = R"(stage canonical
func @f: (<40 x i32>, <40 x i32>) -> (<40 x i32>) {
'entry(%next: <40 x i32>, %at: <40 x i32>):
    branch 'head(%at: <40 x i32>)
'head(%a: <40 x i32>):
    %first = slice %a: <40 x i32> from 0 upto 1
    %k = shapeCast %first: <1 x i32> to scalar
    %more = notEqual %k: i32, 0: i32
    conditional %more: bool then 'body() else 'end()
'body():
    %b = gather %next: <40 x i32> at %a: <40 x i32> along 0
    branch 'head(%b: <40 x i32>)
'end():
    %r = literal (%a: <40 x i32>)
    return %r: (<40 x i32>)
}
)";

test::EmulatedProgram emulated(const char* text) {
  dlvm::Sources sources;
  dlvm::Diagnostics diagnostics;
  const auto module = dlvm::parse(*sources.add("fused.dl", text), sources, diagnostics);
  REQUIRE_MESSAGE(module != nullptr, render(diagnostics));
  REQUIRE(dlvm::lower_control_flow(*module, diagnostics));
  auto program = codegen::kernel::build(*module->function("f"), diagnostics);
  REQUIRE_MESSAGE(program, render(diagnostics));
  test::EmulatedProgram result(test::scheduled_for_gpu(std::move(*program), 80));
  CHECK(!result.has_graph());  // one kernel decides all conditions
  return result;
}

}  // namespace

TEST_CASE("a fused loop has kernels of one warp and kernels of several") {
  const test::EmulatedProgram program = emulated(teams);
  dlvm::Tensor x(dlvm::ElementType::f32, {2}), v(dlvm::ElementType::f32, {10});
  x.set(0, 1.0);
  x.set(1, 1.0);
  v.set(9, 5.0);
  for (std::uint64_t order = 0; order < 20; ++order) {
    const auto run = program.run({{x, v}, {}}, order);
    REQUIRE_MESSAGE(run.error.empty(), run.error);
    CHECK(run.outputs[0].real(0) == 16 + 64);
    CHECK(run.outputs[0].real(9) == 16 + 64 + 5);
    CHECK(run.outputs[1].real(0) == 64);
  }
}

TEST_CASE("a fused loop of many threads ends behind a wrong index of one of them") {
  const test::EmulatedProgram program = emulated(gathering);
  dlvm::Tensor next(dlvm::ElementType::i32, {40}), at(dlvm::ElementType::i32, {40});
  for (std::size_t i = 0; i < 40; ++i) {
    next.set(i, static_cast<std::int64_t>(i == 0 ? 0 : i - 1));
    at.set(i, static_cast<std::int64_t>(i));
  }
  at.set(0, std::int64_t{3});
  const auto all = program.run({{next, at}, {}});
  CHECK(all.error.empty());
  CHECK(all.outputs[0].integer(39) == 36);
  next.set(0, std::int64_t{2});  // round and round
  at.set(39, std::int64_t{40});
  for (std::uint64_t order = 0; order < 20; ++order) {
    const auto run = program.run({{next, at}, {}}, order);
    CHECK(run.error == "an index is outside its range");
  }
}
