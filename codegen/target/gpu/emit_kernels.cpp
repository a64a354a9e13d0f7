#include "codegen/target/gpu/emit_kernels.h"

#include <fmt/format.h>

#include "codegen/emit/lines.h"
#include "codegen/schedule/ir/threads.h"
#include "codegen/schedule/ir/walk.h"
#include "codegen/target/gpu/emit_fused.h"
#include "codegen/target/gpu/grid.h"
#include "codegen/target/gpu/kernel_function.h"

namespace codegen::target::gpu {
namespace {

using kernel::Value;
using schedule::Body;
using schedule::BufferId;
using schedule::Loop;
using schedule::Schedule;
using schedule::Space;

/// Makes the function of a grid, which is a schedule of its own (grid.h).
Kernel emit_grid(llvm::Module& code, const std::string& name, const Schedule& schedule,
                 std::span<const kernel::CheckSite> sites, const std::vector<std::string>& names, bool lines,
                 bool updates_input) {
  const Loop& grid = std::get<Loop>(schedule.variants.front().body.front().node);
  Kernel kernel{name, schedule.arguments, 0, 0, blocks_of(grid).is(1)};
  kernel.threads = static_cast<unsigned>(schedule::block_threads(grid));
  KernelFunction function(code, name, kernel.arguments, names);
  emit::add_lines(function.function(), grid.body,  // the emulator always reads them
                  lines ? llvm::DICompileUnit::DebugDirectivesOnly : llvm::DICompileUnit::NoDebug);
  std::vector<llvm::Value*> arguments;
  for (BufferId id = 0; id < schedule.arguments; ++id)
    arguments.push_back(function.argument(id, schedule.buffers[id].name));
  if (updates_input) function.return_after_error();
  kernel.shared = function.emit(schedule, sites, arguments, kernel.threads);
  function.finish();
  return kernel;
}

/// Returns for each kernel whether a launch of it updates an input.
std::vector<bool> kernels_of_updates(const kernel::Program& program) {
  std::vector<bool> result(program.kernels.size());
  for (const auto* launch : kernel::collect<kernel::Launch>(program.body))
    result[launch->kernel] = result[launch->kernel] || updates_input(program, *launch);
  return result;
}

/// Returns the fused scopes.
std::vector<const kernel::Scope*> fused_scopes(const kernel::Program& program) {
  std::vector<const kernel::Scope*> scopes = kernel::collect<kernel::Scope>(program.body);
  std::erase_if(scopes, [](const kernel::Scope* scope) { return !scope->is_fused; });
  return scopes;
}

/// Returns for each kernel whether the host launches it.
std::vector<bool> launched_by_host(const kernel::Program& program) {
  std::vector<std::size_t> launches(program.kernels.size());
  for (const auto* launch : kernel::collect<kernel::Launch>(program.body)) ++launches[launch->kernel];
  for (const kernel::Scope* scope : fused_scopes(program))
    for (const auto* launch : kernel::collect<kernel::Launch>(scope->body)) --launches[launch->kernel];
  std::vector<bool> result;
  for (const std::size_t count : launches) result.push_back(count > 0);
  return result;
}

}  // namespace

schedule::Workspace workspace(const Schedule& schedule) {
  schedule::Workspace result;
  for (BufferId id = schedule.arguments; id < schedule.buffers.size(); ++id) {
    if (schedule.buffers[id].space != Space::arena) continue;
    result.buffers.push_back(id);
    result.bytes.push_back(bytes_of(schedule.buffers[id]));
  }
  return result;
}

ProgramGrids emit_kernels(llvm::Module& code, Kernels& kernels, const schedule::ScheduledProgram& scheduled,
                          const std::vector<std::string>& names) {
  ProgramGrids result;
  const auto next_name = [&](const std::string& of) {
    return identifier(
        fmt::format("{}_{}_k{}_{}", code.getName().str(), scheduled.program.name, kernels.all.size(), of));
  };
  const std::vector<bool> is_launched = launched_by_host(scheduled.program),
                          is_update = kernels_of_updates(scheduled.program);
  for (std::size_t i = 0; i < scheduled.schedules.size(); ++i) {
    const Schedule& schedule = scheduled.schedules[i];
    result.of_kernel.emplace_back();
    if (!is_launched[i]) continue;
    for (std::size_t v = 0; v < schedule.variants.size(); ++v)
      for (const schedule::Statement& statement : schedule.variants[v].body) {
        const auto* loop = std::get_if<Loop>(&statement.node);
        if (loop == nullptr) continue;
        GridSchedule grid = extract_grid(schedule, *loop);
        const auto& sites = scheduled.program.check_sites;
        auto& all_known = is_update[i] ? kernels.known_of_updates : kernels.known;
        const auto [known, added] =
            all_known.emplace(canonical_key(grid.schedule, sites, names), kernels.all.size());
        if (added)
          kernels.all.push_back(emit_grid(code, next_name(schedule.name), grid.schedule, sites, names,
                                          kernels.lines, is_update[i]));
        result.of_kernel.back().push_back({v, known->second, blocks_of(*loop), std::move(grid.arguments)});
      }
  }
  for (const kernel::Scope* scope : fused_scopes(scheduled.program)) {
    FusedScope fused{kernels.all.size(), values_of(*scope)};
    kernels.all.push_back(
        emit_fused(code, next_name(scope->name), scheduled, *scope, fused.values, names, kernels.lines));
    result.of_scope.emplace(scope->name, std::move(fused));
  }
  return result;
}

std::vector<const dlvm::Tensor*> literals(const kernel::Program& program) {
  std::vector<const dlvm::Tensor*> result;
  for (const Value& value : program.values)
    if (value.place == Value::Place::literal) result.push_back(&value.data);
  return result;
}

}  // namespace codegen::target::gpu
