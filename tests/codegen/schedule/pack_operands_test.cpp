#include <doctest/doctest.h>

#include "../kernel/compare.h"
#include "codegen/kernel/ir/walk.h"
#include "codegen/kernel/text/text.h"
#include "codegen/kernel/verify/verify.h"
#include "codegen/schedule/cpu/pack_operands.h"
#include "dlvm/pipeline.h"
#include "frontend/frontend.h"

/// The right operands of products in loops are packed in front of them.
namespace kernel_tests {
namespace {

using codegen::kernel::Launch;
using codegen::kernel::Program;
using codegen::kernel::Scope;

struct Recurrence {
  explicit Recurrence(const std::string& text) {
    dlvm::Diagnostics diagnostics;
    module = frontend::compile(*sources.add("loop.tel", "module loop\n" + text), sources, {}, diagnostics);
    REQUIRE_MESSAGE(module != nullptr, text);
    REQUIRE(optimize(*module, diagnostics));
    before = program(function());
    after = before;
    pack_operands(after, codegen::schedule::cpu::CpuTarget{});
    INFO(print(after));
    CHECK(verify(after).value_or("") == "");
    for (const codegen::kernel::Kernel& kernel : after.kernels) CHECK(verify(kernel).value_or("") == "");
  }
  const dlvm::Function& function() const { return *module->function(module->entries[0].function); }

  dlvm::Sources sources;
  std::unique_ptr<dlvm::Module> module;
  Program before, after;
};

std::size_t launches(const Program& program, const codegen::kernel::Sequence& sequence,
                     const std::string& name) {
  std::size_t count = 0;
  for (const auto* launch : collect<Launch>(sequence))
    count += program.kernels[launch->kernel].name.starts_with(name) ? 1 : 0;
  return count;
}

std::size_t in_loops(const Program& program, const std::string& name) {
  std::size_t count = 0;
  for (const auto* scope : collect<Scope>(program.body))
    if (scope->kind == Scope::Kind::loop) count += launches(program, scope->body, name);
  return count;
}

TEST_CASE("weights are packed once in front of the loop over the steps") {
  const Recurrence r(
      "x: in[T x N x 20]\nW: in[20 x 24]\nU: in[24 x 24]\n"
      "recurrent t over x_t = x {\n  h: hidden[N x 24] = tanh(x_t • W + (h[t-1] • U) / 50)\n}\n"
      "y: out = sequence(h)\n");
  CHECK(launches(r.after, r.after.body, "pack") == 2);
  CHECK(in_loops(r.after, "pack") == 0);
  // Few rows read the weights where they are.
  CHECK(in_loops(r.after, "dot") == 2 * in_loops(r.before, "dot"));
  CHECK(print(r.after).find("when (N from 17)") != std::string::npos);
  CHECK(print(r.after).find("when (N from 0 upto 17)") != std::string::npos);
  CHECK(differences(r.function(), {0, 1, 16, 17, 20}) == "");
}

TEST_CASE("a transposed operand and columns of a larger one are packed, too") {
  const Recurrence r(
      "x: in[T x 17 x 20]\nW: in[20 x 50]\nU: in[21 x 21]\n"
      "recurrent t over x_t = x {\n"
      "  h: hidden[17 x 21] = tanh(x_t • W[:, 7:28] + (h[t-1] • U^T) / 50)\n}\ny: out = sequence(h)\n");
  CHECK(launches(r.after, r.after.body, "pack") == 2);
  CHECK(in_loops(r.after, "dot") == in_loops(r.before, "dot"));
  CHECK(differences(r.function(), {0, 1, 3}) == "");
}

TEST_CASE("what the loop changes and what one row reads is not packed") {
  const Recurrence power(
      "x: in[T x 20 x 20]\n"
      "recurrent t over x_t = x {\n  h: hidden[20 x 20] = x_t • h[t-1] + 1\n}\ny: out = sequence(h)\n");
  CHECK(launches(power.after, power.after.body, "pack") == 0);
  const Recurrence row(
      "x: in[T x 20]\nW: in[20 x 20]\n"
      "recurrent t over x_t = x {\n  h: hidden[20] = tanh(x_t + h[t-1] • W)\n}\ny: out = sequence(h)\n");
  CHECK(launches(row.after, row.after.body, "pack") == 0);
}

}  // namespace
}  // namespace kernel_tests
