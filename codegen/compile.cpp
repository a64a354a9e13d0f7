#include "codegen/compile.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <map>

#include "codegen/compile_devices.h"
#include "codegen/describe_interface.h"
#include "codegen/object/diagnostics.h"
#include "codegen/object/object.h"
#include "codegen/schedule/ir/walk.h"
#include "dlvm/support/internal_error.h"

namespace codegen {
using interface::Interface;

namespace {

bool is_core(const Target& target) { return target.backend->form == ProgramForm::core; }

/// The target of the host's code.
const Target& host_of(const CompileOptions& options) {
  for (const Target* target : options.targets)
    if (is_core(*target)) return *target;
  return targets().front();
}

/// Whether what is asked for is a device's.
bool is_of_devices(const CompileOptions& options) {
  if (options.emit_kind == EmitKind::device) return true;
  return options.emit_kind == EmitKind::schedule && !options.targets.empty() &&
         std::none_of(options.targets.begin(), options.targets.end(),
                      [](auto* one) { return is_core(*one); });
}

/// A text and the target that makes it.
struct TargetText {
  const Target* target = nullptr;
  const target::gpu::DeviceText* text = nullptr;
};
TargetText device_text(const CompileOptions& options) {
  TargetText result;
  result.target = target_with_text(options.text, result.text, options.targets);
  if (result.target == nullptr) dlvm::internal_error("no target makes the text '" + options.text + "'");
  return result;
}

/// The targets with grids that take part.
std::vector<const Target*> device_targets(const CompileOptions& options) {
  std::vector<const Target*> result;
  if (options.emit_kind == EmitKind::device) return {device_text(options).target};
  for (const Target* target : options.targets)
    if (!is_core(*target)) result.push_back(target);
  return result;
}

/// The dimensions that the compute function of each entry point takes, by the function's name.
std::map<std::string, std::vector<std::string>> dimensions_of(const dlvm::Module& module,
                                                              const Interface& interface) {
  std::map<std::string, std::vector<std::string>> result;
  for (std::size_t i = 0; i < module.entries.size(); ++i) {
    const auto [at, is_new] = result.try_emplace(module.entries[i].function);
    if (!is_new) continue;
    for (const interface::Dimension& dimension : interface.entries[i].dimensions)
      at->second.push_back(dimension.name);
  }
  return result;
}

Interface describe(const dlvm::Module& module, const std::string& source, const Unit& unit) {
  std::map<std::string, CompiledFunction> known;
  for (const auto& [name, function] : unit.functions) {
    const schedule::ScheduledProgram& scheduled = function.scheduled;
    const bool divides_work = std::ranges::any_of(scheduled.schedules, schedule::has_core_loops);
    known.emplace(name, CompiledFunction{scheduled.program, scheduled.slots, scheduled.core_slots,
                                         divides_work, function.frozen_form, function.frozen});
  }
  std::vector<FrozenOperandOf> frozen;
  for (const Unit::FrozenOperand& operand : unit.frozen)
    frozen.push_back({operand.parameter, operand.function});
  return describe(module, source, known, frozen);
}

class Compilation {
 public:
  Compilation(const dlvm::Module& module, const CompileOptions& options, dlvm::Diagnostics& diagnostics)
      : module_(module), options_(options), diagnostics_(diagnostics) {}

  std::optional<Compiled> run() {
    machine_ = object::make_target_machine(options_.target, diagnostics_);
    if (!machine_ || !schedule_for_host()) return std::nullopt;
    Compiled result{{}, describe(module_, options_.source, host_)};
    auto bytes =
        is_of_devices(options_) ? text_of_devices(result.interface) : bytes_of_host(result.interface);
    if (!bytes) return std::nullopt;
    result.bytes = std::move(*bytes);
    return result;
  }

 private:
  bool check_parameters() {
    const std::size_t errors = diagnostics_.error_count();
    for (const dlvm::StoredTensor& tensor : module_.tensors)
      if (tensor.role != dlvm::StoredTensor::Role::constant && tensor.initializer.empty())
        diagnostics_.report(object::no_initializer, tensor.place(), tensor.name);
    return diagnostics_.error_count() == errors;
  }

  bool schedule_for_host() {
    const Backend& backend = *host_of(options_).backend;
    host_ = {module_.name(), &backend, backend.machines(*machine_, options_.devices).front()};
    host_.lines = options_.lines;
    host_.programs = &programs_;
    host_.host = machine_.get();
    host_.context = &context_;
    for (const std::string& name : wanted_functions(module_)) {
      host_.functions[name].source = module_.function(name);
      host_.functions[name].parameters = parameters_to_freeze(module_, name);
    }
    return run_pipeline(host_, Level::planned, diagnostics_, options_.pipeline);
  }

  /// The programs of the devices; nothing after reporting an error.
  std::optional<std::vector<Unit>> device_units(const Interface& interface) {
    const dlvm::ScopedTimer timer(options_.pipeline.times, "devices");
    Unit unit = host_;
    unit.level = Level::tensors;
    unit.steps = 0;
    unit.functions.clear();
    unit.frozen.clear();
    for (const auto& [name, dimensions] : dimensions_of(module_, interface)) {
      unit.functions[name].source = module_.function(name);
      unit.functions[name].dimensions = dimensions;
    }
    PipelineOptions pipeline = options_.pipeline;
    pipeline.times = nullptr;  // all of it counts as `devices`
    const Level level = options_.emit_kind == EmitKind::schedule ? Level::planned : Level::code;
    return make_device_units(unit, level, device_targets(options_), options_.devices, diagnostics_, pipeline);
  }

  std::optional<std::string> text_of_devices(const Interface& interface) {
    const auto units = device_units(interface);
    if (!units) return std::nullopt;
    if (options_.emit_kind == EmitKind::schedule) return schedules_of_devices(*units, options_.devices);
    return text_of(*units, *device_text(options_).text, options_.devices, diagnostics_);
  }

  std::optional<std::string> bytes_of_host(const Interface& interface) {
    if (options_.emit_kind == EmitKind::kernels) return print(host_, Level::kernels);
    if (options_.emit_kind == EmitKind::schedule) return print(host_, Level::schedules);
    if (!check_parameters()) return std::nullopt;
    std::vector<Unit> units;
    if (!device_targets(options_).empty()) {
      auto made = device_units(interface);
      if (!made) return std::nullopt;
      units = std::move(*made);
    }
    for (auto& [name, dimensions] : dimensions_of(module_, interface)) {
      Unit::Function& function = host_.functions.at(name);
      function.dimensions = dimensions;
      if (!function.frozen_form.empty()) host_.functions.at(function.frozen_form).dimensions = dimensions;
    }
    if (!run_pipeline(host_, Level::code, diagnostics_, options_.pipeline)) return std::nullopt;
    const auto tables = device_tables(units);
    if (!tables || !finalize(interface, *tables)) return std::nullopt;
    const object::Emission emission = options_.emit_kind == EmitKind::llvm       ? object::Emission::llvm
                                      : options_.emit_kind == EmitKind::assembly ? object::Emission::assembly
                                                                                 : object::Emission::object;
    return object::emit(*host_.code, *machine_, emission, diagnostics_, options_.pipeline.times,
                        options_.target.sanitizer);
  }

  std::optional<object::DeviceTables> device_tables(const std::vector<Unit>& units) {
    if (units.empty()) return object::DeviceTables{};
    const dlvm::ScopedTimer timer(options_.pipeline.times, "devices");
    return add_devices(*host_.code, units, device_targets(options_), options_.devices, diagnostics_);
  }

  /// The host's module gets its entry points and tables, and goes through LLVM's passes.
  bool finalize(const Interface& interface, const object::DeviceTables& tables) {
    const dlvm::ScopedTimer timer(options_.pipeline.times, "LLVM passes");
    return object::finalize_module(*host_.code, interface, tables, *machine_, diagnostics_,
                                   options_.target.sanitizer);
  }

  const dlvm::Module& module_;
  const CompileOptions& options_;
  dlvm::Diagnostics& diagnostics_;
  std::unique_ptr<llvm::TargetMachine> machine_;
  llvm::LLVMContext context_;
  KernelPrograms programs_;
  Unit host_;
};

}  // namespace

std::optional<Compiled> compile(const dlvm::Module& module, const CompileOptions& options,
                                dlvm::Diagnostics& diagnostics) {
  return Compilation(module, options, diagnostics).run();
}

}  // namespace codegen
