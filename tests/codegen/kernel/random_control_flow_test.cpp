// Random functions with control flow: kernels, schedules, and compiled code against the interpreter of DLVM.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "codegen/kernel/build/build.h"
#include "codegen/kernel/interpret/interpret.h"
#include "codegen/kernel/text/text.h"
#include "codegen/kernel/verify/verify.h"
#include "codegen/schedule/interpret/interpret_program.h"
#include "dlvm/pipeline.h"
#include "dlvm/text/print.h"
#include "tests/codegen/scheduled.h"
#include "tests/codegen/target/cpu/jit.h"
#include "tests/codegen/target/emulator/emulated.h"
#include "tests/fuzz/control_flow.h"

namespace kernel_tests {
namespace {

using codegen::kernel::Program;
using dlvm::Extent;
using dlvm::Tensor;

bool agree(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::abs(a - b) <= 1e-5 * (1 + std::abs(a));
}

/// Returns whether a run ended as the interpreter's did: with the same results, or both with an error.
bool agree(const dlvm::Interpretation& meant, const std::vector<Tensor>& outputs, bool failed) {
  if (!meant || failed) return !meant && failed;
  for (std::size_t r = 0; r < outputs.size(); ++r) {
    const Tensor& expected = meant.value.elements()[r].tensor();
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (!agree(expected.real(i), outputs[r].real(i))) return false;
  }
  return true;
}

/// Returns the kernels of the case's function, whose module is lowered; nothing if an index is known to be
/// outside.
std::optional<Program> built(const fuzz::ControlFlowCase& each, bool optimized) {
  dlvm::Diagnostics diagnostics;
  const auto passes = optimized
                          ? dlvm::optimize(*each.module, diagnostics)
                          : dlvm::run_passes(*each.module, std::vector{dlvm::pass_named("INL")}, diagnostics);
  if (!passes) return std::nullopt;
  REQUIRE(dlvm::lower_control_flow(*each.module, diagnostics));
  auto built = codegen::kernel::build(*each.module->function("f"), diagnostics);
  CHECK_MESSAGE(built.has_value(), render(diagnostics));
  return built;
}

/// Compares the runs of one program; returns whether there is one.
bool check(std::uint64_t seed, bool optimized) {
  const fuzz::ControlFlowCase each = fuzz::random_control_flow(seed),
                              original = fuzz::random_control_flow(seed);
  const std::optional<Program> program = built(each, optimized);
  if (!program) return false;
  INFO("seed ", seed, "\n", print(*each.module), "\n", print(*program));
  REQUIRE(verify(*program).value_or("") == "");
  const test::CompiledProgram compiled(*program);
  const auto gpu = test::scheduled_for_gpu(*program, 80);
  const test::EmulatedProgram emulated(gpu);
  REQUIRE(verify(compiled.scheduled().plan, *program).value_or("") == "");
  const Extent::Bindings dimensions{{"N", 3}, {"g_depth", 9}, {"h_depth", 9}};
  for (const auto& arguments : each.inputs) {
    std::vector<Tensor> inputs;
    for (const auto& argument : arguments) inputs.push_back(argument.tensor());
    dlvm::InterpretOptions options;
    options.step_limit = 200'000;
    const auto meant = dlvm::interpret(*original.module->function("f"), arguments, options);
    const auto kernels = codegen::kernel::interpret(*program, inputs, dimensions);
    CHECK(agree(meant, kernels.outputs, kernels.error.has_value()));
    const auto run = compiled.run(inputs, dimensions);
    CHECK(agree(meant, run.outputs, run.context.site != 0));
    const auto schedules = codegen::schedule::interpret(gpu, inputs, dimensions, 1);
    CHECK(agree(meant, schedules.outputs, schedules.error.has_value()));
    const auto device = emulated.run({inputs, dimensions});
    CHECK(agree(meant, device.outputs, !device.error.empty()));
  }
  return true;
}

void sweep(std::uint64_t first, std::uint64_t count) {
  std::uint64_t compared = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed)
    compared += check(seed, seed % 2 == 0) ? 1 : 0;
  MESSAGE(compared, " of ", count);
  CHECK(compared * 10 > count * 9);
}

TEST_CASE("random control flow: compiled code agrees with the interpreter") { sweep(0, 200); }

TEST_CASE("random control flow, the long sweep" * doctest::skip()) { sweep(1000, 5000); }

}  // namespace
}  // namespace kernel_tests
