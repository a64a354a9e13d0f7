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
#include "tests/fuzz/reduce.h"

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

/// Returns the kernels of the function `f` after inlining; nothing where no code can be generated for it: for
/// recursion, traps and cycles with several entries.
std::optional<Program> built(dlvm::Module& module, bool optimized) {
  dlvm::Diagnostics diagnostics;
  const auto passes = optimized ? dlvm::optimize(module, diagnostics)
                                : dlvm::run_passes(module, std::vector{dlvm::pass_named("INL")}, diagnostics);
  if (!passes) return std::nullopt;  // an index that is known to be outside
  return codegen::kernel::build(*module.function("f"), diagnostics);
}

/// A program on every machine.
struct Machines {
  const Program& program;
  test::CompiledProgram compiled{program};
  codegen::schedule::ScheduledProgram gpu = test::scheduled_for_gpu(program, 80);
  test::EmulatedProgram emulated{gpu};

  /// Returns the machines whose results differ from what is meant; empty if there is none.
  std::string disagreeing(const dlvm::Interpretation& meant, const std::vector<Tensor>& inputs,
                          const Extent::Bindings& dimensions) const {
    std::string names;
    const auto kernels = codegen::kernel::interpret(program, inputs, dimensions);
    if (!agree(meant, kernels.outputs, kernels.error.has_value())) names += " kernels";
    const auto run = compiled.run(inputs, dimensions);
    if (!agree(meant, run.outputs, run.context.site != 0)) names += " processor";
    const auto schedules = codegen::schedule::interpret(gpu, inputs, dimensions, 1);
    if (!agree(meant, schedules.outputs, schedules.error.has_value())) names += " schedules";
    const auto device = emulated.run({inputs, dimensions});
    if (!agree(meant, device.outputs, !device.error.empty())) names += " emulator";
    return names;
  }
};

/// Returns the machines that disagree with the interpreter about one run; empty if none does, if there is no
/// code, or if the run may not end.
std::string disagreeing(const dlvm::Module& module, const std::vector<dlvm::RuntimeValue>& arguments,
                        bool optimized) {
  dlvm::InterpretOptions options;
  options.step_limit = 200'000;
  const auto meant = dlvm::interpret(*module.function("f"), arguments, options);
  if (!meant && meant.error->kind == dlvm::InterpretError::Kind::steps) return "";
  const auto changed = fuzz::copied(module);
  const std::optional<Program> program = built(*changed, optimized);
  if (!program) return "";
  std::vector<Tensor> inputs;
  for (const auto& argument : arguments) inputs.push_back(argument.tensor());
  return Machines{*program}.disagreeing(meant, inputs, {{"N", inputs[1].extents()[0]}});
}

/// Compares the runs of one program; returns whether there is one.
bool check(std::uint64_t seed, bool optimized) {
  const fuzz::ControlFlowCase each = fuzz::random_control_flow(seed);
  const auto meant_of = [&](const auto& arguments) {
    dlvm::InterpretOptions options;
    options.step_limit = 200'000;
    return dlvm::interpret(*each.module->function("f"), arguments, options);
  };
  const auto original = fuzz::copied(*each.module);
  const std::optional<Program> program = built(*each.module, optimized);
  if (!program) return false;
  INFO("seed ", seed);
  REQUIRE(verify(*program).value_or("") == "");
  const Machines machines{*program};
  REQUIRE(verify(machines.compiled.scheduled().plan, *program).value_or("") == "");
  for (const auto& arguments : each.inputs) {
    std::vector<Tensor> inputs;
    for (const auto& argument : arguments) inputs.push_back(argument.tensor());
    const std::string names = machines.disagreeing(meant_of(arguments), inputs, {{"N", 3}});
    if (names.empty()) continue;
    const auto small = fuzz::reduced(*original, arguments, [&](const auto& module, const auto& given) {
      return !disagreeing(module, given, optimized).empty();
    });
    FAIL_CHECK("disagreeing:" << names << ", reduced to\n" << fuzz::text(small));
  }
  return true;
}

void sweep(std::uint64_t first, std::uint64_t count) {
  std::uint64_t compared = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed)
    compared += check(seed, seed % 2 == 0) ? 1 : 0;
  MESSAGE(compared, " of ", count);
  CHECK(compared * 4 > count);
}

TEST_CASE("random control flow: compiled code agrees with the interpreter") { sweep(0, 200); }

TEST_CASE("random control flow, the long sweep" * doctest::skip()) { sweep(1000, 5000); }

}  // namespace
}  // namespace kernel_tests
