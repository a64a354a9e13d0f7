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

/// Returns the kernels of a function of the case's module, which is lowered; nothing if an index is known to
/// be outside, or if the derivative of a loop needs a stack without a capacity.
std::optional<Program> built(const fuzz::ControlFlowCase& each, const std::string& name, bool optimized) {
  dlvm::Diagnostics diagnostics;
  std::vector<const dlvm::Pass*> few{dlvm::pass_named("INL")};
  if (each.module->stage == dlvm::Module::Stage::raw) few = {dlvm::pass_named("AD"), few[0]};
  const bool passes = optimized ? dlvm::optimize(*each.module, diagnostics)
                                : dlvm::run_passes(*each.module, few, diagnostics);
  if (!passes) return std::nullopt;
  REQUIRE(dlvm::lower_control_flow(*each.module, diagnostics));
  auto built = codegen::kernel::build(*each.module->function(name), diagnostics);
  if (!built) {
    const std::string why = render(diagnostics);
    CHECK_MESSAGE(why.find("DLVM-E0703") != std::string::npos, why);
  }
  return built;
}

/// Declares the derivatives of the first result of `f`.
void declare_gradient(dlvm::Module& module) {
  const dlvm::Function* f = module.function("f");
  const auto& parameters = f->type().parameters();
  module.stage = dlvm::Module::Stage::raw;
  dlvm::Function* made = module.add_function(
      "gradient", dlvm::Type::function(parameters, dlvm::Type::tuple({parameters[0], parameters[1]})));
  dlvm::GradientDeclaration declaration;
  declaration.of = f;
  declaration.wrt = dlvm::Integers{0, 1};
  made->gradient = declaration;
}

/// Compares the runs of `f`, or of its gradient; returns whether it has a program.
bool check(std::uint64_t seed, bool optimized, bool gradient = false) {
  const fuzz::ControlFlowCase each = fuzz::random_control_flow(seed),
                              original = fuzz::random_control_flow(seed);
  const std::string name = gradient ? "gradient" : "f";
  if (gradient) {
    dlvm::Diagnostics diagnostics;
    declare_gradient(*each.module);
    declare_gradient(*original.module);
    if (!dlvm::run_passes(*original.module, std::vector{dlvm::pass_named("AD")}, diagnostics)) return false;
  }
  const std::optional<Program> program = built(each, name, optimized);
  if (!program) return false;
  INFO("seed ", seed, "\n", print(*each.module), "\n", print(*program));
  REQUIRE(verify(*program).value_or("") == "");
  const test::CompiledProgram compiled(*program);
  const auto gpu = test::scheduled_for_gpu(*program, 80);
  const test::EmulatedProgram emulated(gpu);
  REQUIRE(verify(compiled.scheduled().plan, *program).value_or("") == "");
  Extent::Bindings dimensions;
  for (const std::string& dimension : program->dimensions) dimensions[dimension] = dimension == "N" ? 3 : 9;
  for (const auto& arguments : each.inputs) {
    std::vector<Tensor> inputs;
    for (const auto& argument : arguments) inputs.push_back(argument.tensor());
    dlvm::InterpretOptions options;
    options.step_limit = 200'000;
    const auto meant = dlvm::interpret(*original.module->function(name), arguments, options);
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

TEST_CASE("random control flow: compiled gradients agree with the interpreter") {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) compared += check(seed, seed % 2 == 0, true) ? 1 : 0;
  MESSAGE(compared, " of 100");
  CHECK(compared > 20);
}

TEST_CASE("random control flow, the long sweep" * doctest::skip()) { sweep(1000, 5000); }

}  // namespace
}  // namespace kernel_tests
