// `wide`: a target with grids that telc does not have. It lowers as the emulator does, for one class of GPUs,
// and makes a text of its own.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "codegen/compile.h"
#include "tests/conformance/target.h"

namespace {

using codegen::EmitKind;
using codegen::target::gpu::DeviceOptions;
using codegen::target::gpu::KernelModule;
using codegen::target::gpu::ProgramTables;

std::vector<codegen::Machine> machines(const llvm::TargetMachine&, const DeviceOptions&) {
  return {{codegen::schedule::gpu::target_of(75)}};
}

const codegen::Target& emulator() { return *codegen::target_named("emulator"); }

/// The classes that each of the targets was asked to finish, in the order of the calls.
std::string finished;

template <int target>
bool finish(std::span<const KernelModule> modules, std::span<ProgramTables> tables, llvm::Module& host,
            const DeviceOptions& options, dlvm::Diagnostics& diagnostics) {
  finished += fmt::format("{}:", target);
  for (const KernelModule& module : modules) finished += fmt::format(" {}", module.architecture);
  finished += "\n";
  CHECK(modules.size() == tables.size());
  if (target == 1) return true;  // it adds nothing to the object
  return emulator().device->finish(modules, tables, host, options, diagnostics);
}

std::optional<std::string> list_classes(std::span<const KernelModule> modules, const DeviceOptions&,
                                        dlvm::Diagnostics&) {
  std::string text;
  for (const KernelModule& module : modules) text += fmt::format("class {}\n", module.architecture);
  return text;
}

codegen::Backend wide_backend() {
  codegen::Backend backend = *emulator().backend;
  backend.machines = machines;
  return backend;
}

constexpr codegen::target::gpu::DeviceText texts[]{{"wide-classes", list_classes}};

/// Compiles x + x for these targets.
std::optional<codegen::Compiled> compile(std::vector<const codegen::Target*> targets, EmitKind form,
                                         const std::string& text = "") {
  conformance::Cases cases;
  cases.add("twice", {dlvm::Tensor(dlvm::ElementType::f32, {64})},
            [](auto& b, auto arguments) { return b.binary(dlvm::Opcode::add, arguments[0], arguments[0]); });
  codegen::CompileOptions options;
  options.targets = std::move(targets);
  options.emit_kind = form;
  options.text = text;
  options.pipeline.verify_each = true;
  dlvm::Diagnostics diagnostics;
  auto compiled = codegen::compile(cases.module, options, diagnostics);
  CHECK_MESSAGE(compiled.has_value(), dlvm::render(diagnostics));
  return compiled;
}

}  // namespace

TEST_CASE("a target with grids that telc does not have") {
  static const codegen::Backend backend = wide_backend();
  static const codegen::target::gpu::Device wide_device{finish<1>, texts, {}},
      other_device{finish<2>, {}, {}};
  static const codegen::Target wide{"wide", &backend, &wide_device},
      other{"other", emulator().backend, &other_device};

  SUBCASE("makes its own text") {
    const auto compiled = compile({&wide}, EmitKind::device, "wide-classes");
    REQUIRE(compiled.has_value());
    CHECK(compiled->bytes == "class 75\n");
  }
  SUBCASE("is handed the kernels of its own backend") {
    finished.clear();
    REQUIRE(compile({codegen::target_named("cpu"), &wide, &other}, EmitKind::object).has_value());
    CHECK(finished == "1: 75\n2: 80\n");
  }
  SUBCASE("has schedules of its own") {
    const auto compiled = compile({&wide}, EmitKind::schedule);
    REQUIRE(compiled.has_value());
    CHECK(compiled->bytes.find("block $") != std::string::npos);
  }
}

TEST_CASE("a compilation for no target makes code for the host") {
  const auto compiled = compile({}, EmitKind::schedule);
  REQUIRE(compiled.has_value());
  CHECK(compiled->bytes.find("vector $") != std::string::npos);
}
