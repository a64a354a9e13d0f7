// Random functions with structs, arrays, enums and memory: compiled code against the interpreter of DLVM.
#include <doctest/doctest.h>

#include "codegen/kernel/build/build.h"
#include "codegen/kernel/text/text.h"
#include "dlvm/pipeline.h"
#include "dlvm/text/print.h"
#include "tests/codegen/kernel/agreement.h"
#include "tests/codegen/target/cpu/jit.h"
#include "tests/fuzz/control_flow.h"

namespace kernel_tests {
namespace {

using dlvm::Tensor;

/// Compares the runs of one function; returns whether code can be generated for it.
bool check(std::uint64_t seed) {
  const fuzz::ControlFlowCase original = fuzz::random_declared_types(seed),
                              each = fuzz::random_declared_types(seed);
  dlvm::Diagnostics diagnostics;
  if (!dlvm::optimize(*each.module, diagnostics)) return false;  // an index that is known to be outside
  const auto program = codegen::kernel::build(*each.module->function("f"), diagnostics);
  if (!program) return false;
  INFO("seed ", seed, "\n", print(*original.module), "\n", print(*each.module));
  const test::CompiledProgram compiled(*program);
  for (const auto& arguments : each.inputs) {
    std::vector<Tensor> inputs;
    for (const auto& argument : arguments) inputs.push_back(argument.tensor());
    dlvm::InterpretOptions options;
    options.step_limit = 200'000;
    const auto meant = dlvm::interpret(*original.module->function("f"), arguments, options);
    dlvm::Extent::Bindings dimensions;
    for (const std::string& name : program->dimensions) dimensions[name] = name == "N" ? 3 : 200;
    const auto run = compiled.run(inputs, dimensions);
    CHECK(agree(meant, run.outputs, run.context.site != 0));
  }
  return true;
}

void sweep(std::uint64_t first, std::uint64_t count) {
  std::uint64_t compared = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) compared += check(seed) ? 1 : 0;
  MESSAGE(compared, " of ", count);
  CHECK(compared * 10 > count);
}

TEST_CASE("random declared types: compiled code agrees with the interpreter") { sweep(0, 150); }

TEST_CASE("random declared types, the long sweep" * doctest::skip()) { sweep(1000, 5000); }

}  // namespace
}  // namespace kernel_tests
