#include "codegen/compile.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <map>

#include "codegen/compile_devices.h"
#include "codegen/describe_interface.h"
#include "codegen/entry_functions.h"
#include "codegen/kernel/memory/update_inputs.h"
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
  return (options.emit_kind == EmitKind::kernels || options.emit_kind == EmitKind::schedule) &&
         !options.targets.empty() &&
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

/// The host's code for one processor or one feature level.
struct HostCode {
  std::string cpu;
  std::unique_ptr<llvm::TargetMachine> machine = {};
  Unit unit = {};
  Interface interface = {};

  std::int32_t needs() const { return object::feature_level(cpu); }
};

/// The processors that the host's code is for, the most demanding first.
std::vector<HostCode> host_codes(const CompileOptions& options) {
  std::vector<HostCode> codes;
  codes.push_back({options.target.cpu});
  if (options.emit_kind != EmitKind::object) return codes;
  for (const std::string& level : options.further_levels)
    if (std::ranges::find(codes, level, &HostCode::cpu) == codes.end()) codes.push_back({level});
  std::ranges::sort(codes, std::greater{}, &HostCode::needs);
  return codes;
}

class Compilation {
 public:
  Compilation(const dlvm::Module& module, const CompileOptions& options, dlvm::Diagnostics& diagnostics)
      : module_(module), options_(options), diagnostics_(diagnostics), hosts_(host_codes(options)) {}

  std::optional<Compiled> run() {
    for (HostCode& host : hosts_)
      if (!schedule(host)) return std::nullopt;
    Compiled result{{}, base().interface};
    auto bytes =
        is_of_devices(options_) ? text_of_devices(result.interface) : bytes_of_host(result.interface);
    if (!bytes) return std::nullopt;
    result.bytes = std::move(*bytes);
    return result;
  }

 private:
  /// The code for the least demanding processor, which all others can run as well.
  HostCode& base() { return hosts_.back(); }

  bool check_parameters() {
    const std::size_t errors = diagnostics_.error_count();
    for (const dlvm::StoredTensor& tensor : module_.tensors)
      if (tensor.role != dlvm::StoredTensor::Role::constant && tensor.initializer.empty())
        diagnostics_.report(object::no_initializer, tensor.place(), tensor.name);
    return diagnostics_.error_count() == errors;
  }

  /// Returns the options of the pipeline; the caller's function is called for the processor that he named.
  PipelineOptions pipeline_of(const HostCode& host) {
    PipelineOptions pipeline = options_.pipeline;
    if (host.cpu != options_.target.cpu) pipeline.after = nullptr;
    return pipeline;
  }

  /// Whether the code has frozen forms. Beside that of better processors, the code of the least demanding one
  /// is there so that the program runs, and is kept small.
  bool freezes(const HostCode& host) const { return &host != &hosts_.back() || hosts_.size() == 1; }

  /// Says which results of a function take the place of parameters, and which of them are written in place: a
  /// call binds them alike for all targets. Returns false after reporting an error.
  bool set_next_values(Unit& unit, const std::string& name) {
    const auto known = next_values_.find(name);
    const auto found =
        known != next_values_.end() ? std::optional(known->second) : find_next_values(name, *unit.host);
    if (!found) return false;
    next_values_.insert_or_assign(name, *found);
    unit.functions[name].next_values = found->all;
    unit.functions[name].updates = found->in_place;
    return true;
  }

  struct NextValues {
    std::vector<kernel::NextValue> all, in_place;
  };
  std::optional<NextValues> find_next_values(const std::string& name, const llvm::TargetMachine& host) {
    NextValues next{next_values_of(module_, name), {}};
    if (next.all.empty()) return next;
    next.in_place = next.all;
    std::vector<const Target*> targets = device_targets(options_);
    targets.push_back(&host_of(options_));
    for (const Target* target : targets)
      for (const Machine& machine : target->backend->machines(host, options_.devices)) {
        const kernel::Program* program =
            programs_.get(*module_.function(name), machine.kernels, next.all, diagnostics_);
        if (program == nullptr) return std::nullopt;
        const auto found = kernel::find_updates(*program, next.all);
        std::erase_if(next.in_place, [&](const kernel::NextValue& each) {
          return std::ranges::find(found, each) == found.end();
        });
      }
    return next;
  }

  bool schedule(HostCode& host) {
    object::TargetOptions target = options_.target;
    target.cpu = host.cpu;
    host.machine = object::make_target_machine(target, diagnostics_);
    if (!host.machine) return false;
    const Backend& backend = *host_of(options_).backend;
    Unit& unit = host.unit;
    unit = {module_.name(), &backend, backend.machines(*host.machine, options_.devices).front()};
    unit.lines = options_.lines;
    unit.programs = &programs_;
    unit.host = host.machine.get();
    unit.context = &context_;
    std::set<std::string> names = entry_functions(module_);
    if (&host == &base()) names.merge(initializer_functions(module_));
    for (const std::string& name : names) {
      unit.functions[name].source = module_.function(name);
      if (!set_next_values(unit, name)) return false;
      if (freezes(host)) unit.functions[name].parameters = parameters_to_freeze(module_, name);
    }
    if (!run_pipeline(unit, Level::planned, diagnostics_, pipeline_of(host))) return false;
    host.interface = describe(module_, options_.source, unit);
    return true;
  }

  /// The level whose text is emitted; `code` if none is.
  Level printed_level() const {
    if (options_.emit_kind == EmitKind::kernels) return Level::kernels;
    return options_.emit_kind == EmitKind::schedule ? Level::schedules : Level::code;
  }

  /// The programs of the devices; nothing after reporting an error.
  std::optional<std::vector<Unit>> device_units(const Interface& interface) {
    const dlvm::ScopedTimer timer(options_.pipeline.times, "devices");
    Unit unit = base().unit;
    unit.level = Level::tensors;
    unit.steps = 0;
    unit.functions.clear();
    unit.frozen.clear();
    for (const auto& [name, dimensions] : dimensions_of(module_, interface)) {
      unit.functions[name].source = module_.function(name);
      if (!set_next_values(unit, name)) return std::nullopt;
      unit.functions[name].dimensions = dimensions;
    }
    PipelineOptions pipeline = options_.pipeline;
    pipeline.times = nullptr;  // all of it counts as `devices`
    const Level level = printed_level() == Level::schedules ? Level::planned : printed_level();
    return make_device_units(unit, level, device_targets(options_), options_.devices, diagnostics_, pipeline);
  }

  std::optional<std::string> text_of_devices(const Interface& interface) {
    const auto units = device_units(interface);
    if (!units) return std::nullopt;
    if (printed_level() != Level::code) return text_of(*units, printed_level(), options_.devices);
    return text_of(*units, *device_text(options_).text, options_.devices, diagnostics_);
  }

  std::optional<std::string> bytes_of_host(const Interface& interface) {
    if (printed_level() != Level::code) return print(base().unit, printed_level());
    if (!check_parameters()) return std::nullopt;
    std::vector<Unit> units;
    if (!device_targets(options_).empty()) {
      auto made = device_units(interface);
      if (!made) return std::nullopt;
      units = std::move(*made);
    }
    for (HostCode& host : hosts_)
      if (!emit(host)) return std::nullopt;
    const auto tables = device_tables(units);
    if (!tables || !finalize(*tables)) return std::nullopt;
    const object::Emission emission = options_.emit_kind == EmitKind::llvm       ? object::Emission::llvm
                                      : options_.emit_kind == EmitKind::assembly ? object::Emission::assembly
                                                                                 : object::Emission::object;
    return object::emit(*base().unit.code, *base().machine, emission, diagnostics_, options_.pipeline.times,
                        options_.target.sanitizer);
  }

  /// Makes the LLVM IR of the host's code.
  bool emit(HostCode& host) {
    for (auto& [name, dimensions] : dimensions_of(module_, host.interface)) {
      Unit::Function& function = host.unit.functions.at(name);
      function.dimensions = dimensions;
      if (!function.frozen_form.empty()) host.unit.functions.at(function.frozen_form).dimensions = dimensions;
    }
    return run_pipeline(host.unit, Level::code, diagnostics_, pipeline_of(host));
  }

  std::optional<object::DeviceTables> device_tables(const std::vector<Unit>& units) {
    if (units.empty()) return object::DeviceTables{};
    const dlvm::ScopedTimer timer(options_.pipeline.times, "devices");
    return add_devices(*base().unit.code, units, device_targets(options_), options_.devices, diagnostics_);
  }

  /// The base's module gets the code of all levels, entry points and tables, and goes through LLVM's passes.
  bool finalize(const object::DeviceTables& tables) {
    const dlvm::ScopedTimer timer(options_.pipeline.times, "LLVM passes");
    std::vector<object::LevelModule> levels;
    for (HostCode& host : hosts_) {
      const std::string suffix = &host == &base() ? "" : "." + host.cpu;
      levels.push_back({host.unit.code.get(), host.machine.get(), {&host.interface, suffix, host.needs()}});
    }
    return object::finalize_module(levels, tables, diagnostics_, options_.target.sanitizer);
  }

  const dlvm::Module& module_;
  const CompileOptions& options_;
  dlvm::Diagnostics& diagnostics_;
  llvm::LLVMContext context_;
  KernelPrograms programs_;
  std::map<std::string, NextValues> next_values_;  ///< by the function's name
  std::vector<HostCode> hosts_;
};

}  // namespace

std::optional<Compiled> compile(const dlvm::Module& module, const CompileOptions& options,
                                dlvm::Diagnostics& diagnostics) {
  return Compilation(module, options, diagnostics).run();
}

}  // namespace codegen
