#include "codegen/compile.h"

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <map>

#include "codegen/interface/describe.h"
#include "codegen/kernel/build/build.h"
#include "codegen/kernel/text/text.h"
#include "codegen/object/object.h"
#include "codegen/schedule/text/text.h"
#include "codegen/target/cpu/program.h"

namespace codegen {
namespace {

using Functions = std::map<std::string, Scheduled>;

std::optional<kernel::Program> kernels(const dlvm::Function& function, dlvm::Times* times,
                                       dlvm::Diagnostics& diagnostics) {
  const dlvm::Step step(times, "kernels");
  return kernel::build(function, diagnostics);
}

std::optional<Functions> schedules(const dlvm::Module& module, const llvm::TargetMachine& machine,
                                   dlvm::Times* times, dlvm::Diagnostics& diagnostics) {
  const schedule::cpu::CpuTarget target = target::cpu::cpu_target_of(machine);
  Functions functions;
  for (const std::string& name : wanted_functions(module)) {
    const dlvm::Function& function = *module.function(name);
    auto program = kernels(function, times, diagnostics);
    if (!program) return std::nullopt;
    const dlvm::Step step(times, "schedule");
    functions.emplace(name, target::cpu::schedule_program(std::move(*program), function, target));
  }
  return functions;
}

Interface describe(const dlvm::Module& module, const std::string& source, const Functions& functions) {
  std::map<std::string, CompiledFunction> known;
  for (const auto& [name, function] : functions)
    known.emplace(name, CompiledFunction{function.program, function.slots});
  return describe(module, source, known);
}

/// The compute functions, each with the dimensions that its entry point passes.
void emit_functions(llvm::Module& code, const dlvm::Module& module, const Functions& functions,
                    const Interface& interface, math::Features features, const CompileOptions& options) {
  const dlvm::Step step(options.times, "emit");
  std::map<std::string, std::vector<std::string>> dimensions;
  for (std::size_t i = 0; i < module.entries.size(); ++i)
    for (const Dimension& dimension : interface.entries[i].dimensions)
      dimensions[interface.entries[i].compute].push_back(dimension.name);
  target::cpu::Kernels kernels;
  for (const auto& [name, function] : functions)
    target::cpu::emit_program(code, compute_symbol(name), function, dimensions[compute_symbol(name)],
                              features, kernels, options.lines);
}

std::string text_of(EmitKind form, const Functions& functions) {
  std::string text;
  for (const auto& [name, function] : functions) {
    if (form == EmitKind::kernels) text += kernel::print(function.program) + "\n";
    if (form == EmitKind::schedule)
      for (const auto& schedule : function.schedules) text += schedule::print(schedule) + "\n";
  }
  return text;
}

/// Every function that an entry point computes with, once.
std::vector<DeviceEntry> device_entries(const dlvm::Module& module, const Interface& interface) {
  std::map<std::string, DeviceEntry> known;
  for (std::size_t i = 0; i < module.entries.size(); ++i) {
    DeviceEntry entry{module.entries[i].function, interface.entries[i].compute, {}};
    for (const Dimension& dimension : interface.entries[i].dimensions)
      entry.dimensions.push_back(dimension.name);
    known.emplace(entry.compute, std::move(entry));
  }
  std::vector<DeviceEntry> entries;
  for (auto& [name, entry] : known) entries.push_back(std::move(entry));
  return entries;
}

bool is_of_devices(const CompileOptions& options) {
  return options.form == EmitKind::ptx || options.form == EmitKind::cubin ||
         options.form == EmitKind::sass_report || (options.form == EmitKind::schedule && !options.processor);
}

std::optional<std::string> text_of(const DeviceCode& code, const CompileOptions& options,
                                   dlvm::Diagnostics& diagnostics) {
  if (options.form == EmitKind::schedule) return code.schedules(options.devices.architectures.front());
  if (options.form == EmitKind::ptx) return code.ptx(options.devices.architectures.front(), diagnostics);
  if (options.form == EmitKind::cubin) return code.cubin(options.devices.architectures.front(), diagnostics);
  return code.report(diagnostics);
}

std::optional<DeviceCode> device_code(const dlvm::Module& module, const Interface& interface,
                                      const CompileOptions& options, llvm::LLVMContext& context,
                                      dlvm::Diagnostics& diagnostics) {
  const dlvm::Step step(options.times, "devices");
  return DeviceCode::make(module, device_entries(module, interface), options.devices, context, diagnostics);
}

std::optional<DeviceTables> device_tables(const std::optional<DeviceCode>& devices, llvm::Module& code,
                                          const CompileOptions& options, dlvm::Diagnostics& diagnostics) {
  if (!devices) return DeviceTables{};
  const dlvm::Step step(options.times, "devices");
  return devices->add_to(code, diagnostics);
}

/// The host's module, completed, as what is asked for.
std::optional<std::string> bytes_of(llvm::Module& code, const Interface& interface,
                                    const DeviceTables& tables, llvm::TargetMachine& machine,
                                    const CompileOptions& options, dlvm::Diagnostics& diagnostics) {
  {
    const dlvm::Step step(options.times, "LLVM passes");
    if (!finalize_module(code, interface, tables, machine, diagnostics)) return std::nullopt;
  }
  const Emission emission = options.form == EmitKind::llvm       ? Emission::llvm
                            : options.form == EmitKind::assembly ? Emission::assembly
                                                                 : Emission::object;
  return emit(code, machine, emission, diagnostics, options.times);
}

}  // namespace

std::optional<Compiled> compile(const dlvm::Module& module, const CompileOptions& options,
                                dlvm::Diagnostics& diagnostics) {
  const auto machine = make_target_machine(options.target, diagnostics);
  if (!machine) return std::nullopt;
  const auto functions = schedules(module, *machine, options.times, diagnostics);
  if (!functions) return std::nullopt;
  Compiled result{{}, describe(module, options.source, *functions)};
  if (!is_of_devices(options) && (options.form == EmitKind::kernels || options.form == EmitKind::schedule)) {
    result.bytes = text_of(options.form, *functions);
    return result;
  }
  llvm::LLVMContext context;
  std::optional<DeviceCode> devices;
  if (options.devices.any() || is_of_devices(options)) {
    devices = device_code(module, result.interface, options, context, diagnostics);
    if (!devices) return std::nullopt;
  }
  if (is_of_devices(options)) {
    auto text = text_of(*devices, options, diagnostics);
    if (!text) return std::nullopt;
    result.bytes = std::move(*text);
    return result;
  }
  llvm::Module code(module.name(), context);
  emit_functions(code, module, *functions, result.interface, target::cpu::features_of(*machine), options);
  const auto tables = device_tables(devices, code, options, diagnostics);
  if (!tables) return std::nullopt;
  auto bytes = bytes_of(code, result.interface, *tables, *machine, options, diagnostics);
  if (!bytes) return std::nullopt;
  result.bytes = std::move(*bytes);
  return result;
}

}  // namespace codegen
