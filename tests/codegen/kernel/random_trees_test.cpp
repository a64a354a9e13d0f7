// Random functions that make recursive enums and take them apart, and their derivatives: compiled code
// against the interpreter of DLVM, which knows enums.
#include <doctest/doctest.h>

#include "codegen/kernel/build/build.h"
#include "dlvm/pipeline.h"
#include "dlvm/text/parse.h"
#include "tests/codegen/kernel/agreement.h"
#include "tests/codegen/scheduled.h"
#include "tests/codegen/target/cpu/jit.h"
#include "tests/codegen/target/emulator/emulated.h"
#include "tests/fuzz/trees.h"

namespace kernel_tests {
namespace {

using dlvm::Extent;
using dlvm::Tensor;

constexpr std::int64_t bound = 120;

std::unique_ptr<dlvm::Module> parsed(std::uint64_t seed, bool derivatives) {
  dlvm::Sources sources;
  dlvm::Diagnostics diagnostics;
  auto module = dlvm::parse(*sources.add("trees.dl", fuzz::random_trees(seed, derivatives ? 1 : 0)), sources,
                            diagnostics);
  REQUIRE_MESSAGE(module, render(diagnostics));
  return module;
}

std::vector<Tensor> drawn_inputs(std::uint64_t seed, std::int64_t n) {
  Tensor row(dlvm::ElementType::f64, {3});
  for (std::size_t i = 0; i < 3; ++i) row.set(i, 0.3 * static_cast<double>((seed + 2 * i) % 7) - 0.8);
  return {Tensor::scalar(dlvm::ElementType::f64, 0.2 * static_cast<double>(seed % 9) - 0.7), row,
          Tensor::scalar(dlvm::ElementType::i32, n)};
}

bool all_agree(const dlvm::RuntimeValue& meant, const std::vector<Tensor>& outputs) {
  for (std::size_t r = 0; r < outputs.size(); ++r) {
    const Tensor& expected = meant.is_tensor() ? meant.tensor() : meant.elements()[r].tensor();
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (!agree(expected.real(i), outputs[r].real(i))) return false;
  }
  return true;
}

/// Compares `f`, or its derivative `first`, on the processor and the emulator.
void check(std::uint64_t seed, bool derivative) {
  INFO("seed ", seed, "\n", fuzz::random_trees(seed, derivative ? 1 : 0));
  dlvm::Diagnostics diagnostics;
  const auto original = parsed(seed, derivative), changed = parsed(seed, derivative);
  if (derivative) REQUIRE(dlvm::expand_gradients(*original, diagnostics));
  REQUIRE(dlvm::optimize(*changed, diagnostics));
  REQUIRE(dlvm::lower_control_flow(*changed, diagnostics));
  const char* name = derivative ? "first" : "f";
  const auto program = codegen::kernel::build(*changed->function(name), diagnostics);
  REQUIRE_MESSAGE(program, render(diagnostics));
  const test::CompiledProgram compiled(*program);
  const test::EmulatedProgram emulated(test::scheduled_for_gpu(*program, 80));
  dlvm::InterpretOptions options;
  options.dimensions["f_nodes"] = bound;
  Extent::Bindings dimensions;
  for (const std::string& each : program->dimensions) dimensions[each] = bound;
  for (const std::int64_t n : {1, 3}) {
    const std::vector<Tensor> inputs = drawn_inputs(seed, n);
    const auto meant = interpret(*original->function(name),
                                 std::vector<dlvm::RuntimeValue>(inputs.begin(), inputs.end()), options);
    REQUIRE(meant);
    const auto run = compiled.run(inputs, dimensions);
    CHECK(run.context.site == 0);
    CHECK(all_agree(meant.value, run.outputs));
    const auto device = emulated.run({inputs, dimensions});
    CHECK(device.error == "");
    CHECK(all_agree(meant.value, device.outputs));
  }
}

TEST_CASE("random trees: compiled code agrees with the interpreter") {
  for (std::uint64_t seed = 0; seed < 5; ++seed) check(seed, false);
  check(1, true);
}

TEST_CASE("random trees, compiled, the long sweep" * doctest::skip()) {
  for (std::uint64_t seed = 1000; seed < 1200; ++seed) check(seed, seed % 3 == 0);
}

}  // namespace
}  // namespace kernel_tests
