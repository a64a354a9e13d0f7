#include "codegen/compile_devices.h"

#include <fmt/format.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "codegen/describe_interface.h"
#include "codegen/target/gpu/emit_enqueue.h"
#include "codegen/target/gpu/tables.h"

namespace codegen {
namespace {

using target::gpu::KernelModule;
using target::gpu::ProgramTables;

int architecture_of(const Unit& unit) {
  return std::get<schedule::gpu::GpuTarget>(unit.machine.description).capability;
}

bool have_equal_schedules(const Unit& a, const Unit& b) {
  return std::ranges::equal(a.functions, b.functions, [](const auto& one, const auto& other) {
    return one.second.scheduled.schedules == other.second.scheduled.schedules;
  });
}

/// The ways in which these targets lower programs, each once.
std::vector<const Backend*> backends_of(const std::vector<const Target*>& targets) {
  std::vector<const Backend*> result;
  for (const Target* target : targets)
    if (std::ranges::find(result, target->backend) == result.end()) result.push_back(target->backend);
  return result;
}

KernelModule module_of(const Unit& unit) {
  return {unit.code.get(), &unit.grids, architecture_of(unit), unit.machine.architectures};
}

std::vector<KernelModule> modules_of(const std::vector<Unit>& units) {
  std::vector<KernelModule> modules;
  for (const Unit& unit : units) modules.push_back(module_of(unit));
  return modules;
}

/// The first of the units that are lowered for the target, and how many these are: they follow each other.
std::pair<std::size_t, std::size_t> units_of(const Target& target, const std::vector<Unit>& units) {
  const auto is_own = [&](const Unit& unit) { return unit.backend == target.backend; };
  const auto first = std::ranges::find_if(units, is_own);
  return {static_cast<std::size_t>(first - units.begin()),
          static_cast<std::size_t>(std::ranges::count_if(units, is_own))};
}

/// The functions that launch a unit's grids.
void add_launches(llvm::Module& host, const Unit& unit, ProgramTables& table) {
  for (const auto& [name, function] : unit.functions) {
    const std::string compute = compute_symbol(name);
    const std::string architecture = std::to_string(architecture_of(unit));
    table.entries[compute] = {
        &function.scheduled,
        target::gpu::emit_enqueue(host, fmt::format("{}.enqueue_{}", compute, architecture),
                                  function.scheduled, function.grids, function.dimensions),
        target::gpu::emit_enqueue_graph(host, fmt::format("{}.graph_{}", compute, architecture),
                                        function.scheduled, function.grids, function.dimensions),
        function.dimensions};
  }
}

}  // namespace

std::optional<std::vector<Unit>> make_device_units(const Unit& functions, Level level,
                                                   const std::vector<const Target*>& targets,
                                                   const target::gpu::DeviceOptions& options,
                                                   dlvm::Diagnostics& diagnostics,
                                                   const PipelineOptions& pipeline) {
  std::vector<Unit> units;
  for (const Backend* backend : backends_of(targets))
    for (Machine& machine : backend->machines(*functions.host, options)) {
      Unit unit = functions;
      unit.backend = backend;
      unit.machine = std::move(machine);
      if (!run_pipeline(unit, Level::schedules, diagnostics, pipeline)) return std::nullopt;
      if (!units.empty() && units.back().backend == backend && have_equal_schedules(units.back(), unit)) {
        auto& all = unit.machine.architectures;
        const auto& newer = units.back().machine.architectures;
        all.insert(all.begin(), newer.begin(), newer.end());
        units.pop_back();
      }
      units.push_back(std::move(unit));
    }
  for (Unit& unit : units)
    if (!run_pipeline(unit, level, diagnostics, pipeline)) return std::nullopt;
  return units;
}

std::string text_of(const std::vector<Unit>& units, Level level, const target::gpu::DeviceOptions& options) {
  const auto runs_first = [&](const Unit& unit) {
    return architecture_of(unit) <= options.architectures.front().number;
  };
  const auto found = std::ranges::find_if(units, runs_first);
  return print(found == units.end() ? units.back() : *found, level);
}

std::optional<std::string> text_of(const std::vector<Unit>& units, const target::gpu::DeviceText& text,
                                   const target::gpu::DeviceOptions& options,
                                   dlvm::Diagnostics& diagnostics) {
  return text.make(modules_of(units), options, diagnostics);
}

std::optional<object::DeviceTables> add_devices(llvm::Module& host, const std::vector<Unit>& units,
                                                const std::vector<const Target*>& targets,
                                                const target::gpu::DeviceOptions& options,
                                                dlvm::Diagnostics& diagnostics) {
  const std::vector<KernelModule> modules = modules_of(units);
  std::vector<ProgramTables> tables(units.size());
  for (std::size_t i = 0; i < units.size(); ++i) {
    tables[i].architecture = modules[i].architecture;
    tables[i].kernels = modules[i].kernels;
  }
  for (const Target* target : targets) {
    const auto [first, count] = units_of(*target, units);
    if (!target->device->finish(std::span(modules).subspan(first, count),
                                std::span(tables).subspan(first, count), host, options, diagnostics))
      return std::nullopt;
  }
  for (std::size_t i = 0; i < units.size(); ++i) add_launches(host, units[i], tables[i]);
  std::ranges::stable_sort(tables, std::greater{}, &ProgramTables::architecture);  // of all backends
  std::vector<std::string> entries;
  for (const auto& [name, function] : units.front().functions) entries.push_back(name);
  target::gpu::add_contents(host, contents_of(units.front().name, std::move(entries), tables));
  return target::gpu::add_tables(host, tables);
}

}  // namespace codegen
