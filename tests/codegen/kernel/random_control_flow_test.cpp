// Random functions with control flow: kernels, schedules, and compiled code against the interpreter of DLVM.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

#include "codegen/kernel/build/build.h"
#include "codegen/kernel/interpret/interpret.h"
#include "codegen/kernel/text/text.h"
#include "codegen/kernel/verify/verify.h"
#include "codegen/schedule/interpret/interpret_program.h"
#include "dlvm/pipeline.h"
#include "tests/codegen/kernel/agreement.h"
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

/// The kernels of a function, or why there are none.
struct Built {
  std::optional<Program> program;
  std::string why;
};

/// Lowers the module, and builds the function.
Built built(dlvm::Module& module, const std::string& name, bool optimized) {
  dlvm::Diagnostics diagnostics;
  std::vector<const dlvm::Pass*> few{dlvm::pass_named("INL")};
  if (module.stage == dlvm::Module::Stage::raw) few = {dlvm::pass_named("AD"), few[0]};
  const bool passes =
      optimized ? dlvm::optimize(module, diagnostics) : dlvm::run_passes(module, few, diagnostics);
  if (!passes || !dlvm::lower_control_flow(module, diagnostics)) return {std::nullopt, ""};
  auto program = codegen::kernel::build(*module.function(name), diagnostics);
  return {std::move(program), render(diagnostics)};
}

/// A program on every machine.
struct Machines {
  const Program& program;
  test::CompiledProgram compiled{program};
  codegen::schedule::ScheduledProgram gpu = test::scheduled_for_gpu(program, 80);
  test::EmulatedProgram emulated{gpu};

  /// Returns the machines whose results differ from what is meant; empty if there is none.
  std::string disagreeing(const dlvm::Interpretation& meant, const std::vector<Tensor>& inputs) const {
    Extent::Bindings dimensions;
    for (const std::string& name : program.dimensions)
      dimensions[name] = name == "N" ? inputs[1].extents()[0] : name.ends_with("_steps") ? 1000 : 9;
    std::string names;
    const auto kernels = codegen::kernel::interpret(program, inputs, dimensions);
    if (!agree(meant, kernels.outputs, kernels.error.has_value())) names += " kernels";
    const auto run = compiled.run(inputs, dimensions);
    if (!agree(meant, run.outputs, run.context.site != 0)) names += " processor";
    const auto schedules = codegen::schedule::interpret(gpu, inputs, dimensions, 1);
    if (!agree(meant, schedules.outputs, schedules.error.has_value())) names += " schedules";
    const auto device = emulated.run({inputs, dimensions});
    if (!agree(meant, device.outputs, !device.error.empty())) names += " emulator";
    constexpr std::uint64_t shuffled = 1;
    const auto graph = emulated.run({inputs, dimensions}, shuffled, {}, emulated.has_graph());
    if (!agree(meant, graph.outputs, !graph.error.empty())) names += " graph or shuffled threads";
    return names;
  }
};

/// Returns what the function means, after AD where derivatives are declared.
dlvm::Interpretation meant(const dlvm::Module& module, const std::string& name,
                           const std::vector<dlvm::RuntimeValue>& arguments) {
  const auto expanded = fuzz::copied(module);
  dlvm::Diagnostics ignored;
  if (module.stage == dlvm::Module::Stage::raw)
    dlvm::run_passes(*expanded, std::vector{dlvm::pass_named("AD")}, ignored);
  dlvm::InterpretOptions options;
  options.step_limit = 200'000;
  return dlvm::interpret(*expanded->function(name), arguments, options);
}

/// Returns the machines that disagree with the interpreter about one run; empty if none does, if there is no
/// code, or if the run may not end.
std::string disagreeing(const dlvm::Module& module, const std::string& name,
                        const std::vector<dlvm::RuntimeValue>& arguments, bool optimized) {
  const auto expected = meant(module, name, arguments);
  if (!expected && expected.error->kind == dlvm::InterpretError::Kind::steps) return "";
  const auto changed = fuzz::copied(module);
  const Built code = built(*changed, name, optimized);
  if (!code.program) return "";
  std::vector<Tensor> inputs;
  for (const auto& argument : arguments) inputs.push_back(argument.tensor());
  return Machines{*code.program}.disagreeing(expected, inputs);
}

/// Declares the derivatives of the first result of `f`.
void declare_gradient(dlvm::Module& module) {
  const dlvm::Function* f = module.function("f");
  const auto& parameters = f->type().parameters();
  module.stage = dlvm::Module::Stage::raw;
  module.entries.clear();  // the gradient is called
  dlvm::Function* made = module.add_function(
      "gradient", dlvm::Type::function(parameters, dlvm::Type::tuple({parameters[0], parameters[1]})));
  dlvm::GradientDeclaration declaration;
  declaration.of = f;
  declaration.wrt = dlvm::Integers{0, 1};
  made->gradient = declaration;
}

/// Compares the runs of `f`, or of its gradient; returns whether it has a program.
bool check(std::uint64_t seed, bool optimized, bool gradient = false) {
  const fuzz::ControlFlowCase each = fuzz::random_control_flow(seed);
  const std::string name = gradient ? "gradient" : "f";
  const auto plain = fuzz::copied(*each.module);
  if (gradient) declare_gradient(*each.module);
  const auto original = fuzz::copied(*each.module);
  const Built code = built(*each.module, name, optimized);
  INFO("seed ", seed);
  CHECK_MESSAGE((code.program || code.why.empty()), code.why);
  if (!code.program) return false;
  const Program& program = *code.program;
  REQUIRE(verify(program).value_or("") == "");
  const Machines machines{program};
  const auto& scheduled = machines.compiled.scheduled();
  REQUIRE(verify(scheduled.plan, scheduled.program).value_or("") == "");
  for (const auto& arguments : each.inputs) {
    std::vector<Tensor> inputs;
    for (const auto& argument : arguments) inputs.push_back(argument.tensor());
    const std::string names = machines.disagreeing(meant(*original, name, arguments), inputs);
    if (names.empty()) continue;
    const auto small = fuzz::reduced(*plain, arguments, [&](const auto& module, const auto& given) {
      const auto declared = fuzz::copied(module);
      if (gradient) declare_gradient(*declared);
      return !disagreeing(*declared, name, given, optimized).empty();
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
  CHECK(compared * 10 > count * 9);
}

/// Fewer of them have programs: some functions have no derivative.
void sweep_gradients(std::uint64_t first, std::uint64_t count) {
  std::uint64_t compared = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed)
    compared += check(seed, seed % 2 == 0, true) ? 1 : 0;
  MESSAGE(compared, " of ", count);
  CHECK(compared * 10 > count * 6);
}

TEST_CASE("random control flow: compiled code agrees with the interpreter") { sweep(0, 100); }

TEST_CASE("random control flow: compiled gradients agree with the interpreter") { sweep_gradients(0, 30); }

TEST_CASE("random control flow, the long sweep" * doctest::skip()) {
  sweep(1000, 5000);
  sweep_gradients(50, 1000);
}

}  // namespace
}  // namespace kernel_tests
