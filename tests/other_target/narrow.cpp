// `narrow`: a processor whose vectors have 8 bytes. This file is the whole target, and the objects under test
// (tests/support/object.h) are compiled for it.
#include <doctest/doctest.h>

#include "codegen/compile.h"
#include "tests/conformance/target.h"
#include "tests/support/object.h"

namespace test {
namespace {

std::vector<codegen::Machine> machines(const llvm::TargetMachine&,
                                       const codegen::target::gpu::DeviceOptions&) {
  return {{codegen::schedule::cpu::CpuTarget{8}}};
}

/// As the processor's, but for the machine.
codegen::Backend backend() {
  codegen::Backend backend = *codegen::target_named("cpu")->backend;
  backend.machines = machines;
  return backend;
}

std::optional<codegen::Compiled> compile(const dlvm::Module& module, codegen::EmitKind form,
                                         dlvm::Diagnostics& diagnostics) {
  static const codegen::Backend narrow_backend = backend();
  static const codegen::Target narrow{"narrow", &narrow_backend};
  codegen::CompileOptions options;
  options.targets = {&narrow};
  options.emit_kind = form;
  options.pipeline.verify_each = true;
  return codegen::compile(module, options, diagnostics);
}

}  // namespace

std::unique_ptr<codegen::jit::LoadedObject> load(const dlvm::Module& module, const std::string&,
                                                 std::string& why, const Devices&) {
  dlvm::Diagnostics diagnostics;
  auto compiled = compile(module, codegen::EmitKind::object, diagnostics);
  if (compiled) return codegen::jit::LoadedObject::load(compiled->bytes, std::move(compiled->interface), why);
  why = dlvm::render(diagnostics);
  return nullptr;
}

bool record(const dlvm::Module&, const std::string&, std::string& why) {
  why = "objects of this target are not recorded";
  return false;
}

TEST_CASE("vectors of float32 have two elements") {
  conformance::Cases cases;
  cases.add("twice", {dlvm::Tensor(dlvm::ElementType::f32, {64})},
            [](auto& b, auto arguments) { return b.binary(dlvm::Opcode::add, arguments[0], arguments[0]); });
  dlvm::Diagnostics diagnostics;
  const auto compiled = compile(cases.module, codegen::EmitKind::schedule, diagnostics);
  REQUIRE_MESSAGE(compiled.has_value(), dlvm::render(diagnostics));
  CHECK_MESSAGE(compiled->bytes.find("in 64 step 2 {") != std::string::npos, compiled->bytes);
}

}  // namespace test
