#include "telc/dlopt/run_steps.h"

#include <fmt/format.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Target/TargetMachine.h>

#include "codegen/object/target.h"
#include "codegen/read_unit.h"
#include "codegen/schedule/ir/walk.h"
#include "codegen/targets.h"
#include "telc/streams.h"

namespace telc {
namespace {

constexpr std::string_view level_names[]{"tensors", "kernels", "schedules", "planned schedules", "code"};
std::string_view name_of(codegen::Level level) { return level_names[static_cast<std::size_t>(level)]; }

/// Returns what keeps these schedules from being the target's; nothing if they can be.
std::optional<std::string> foreign_schedule(const codegen::Unit& unit, const std::string& target) {
  const bool takes_grids = unit.backend->form == codegen::ProgramForm::grids;
  for (const auto& [name, function] : unit.functions)
    for (const codegen::schedule::Schedule& schedule : function.scheduled.schedules)
      for (const auto& variant : schedule.variants) {
        bool has_grids = false;
        codegen::schedule::walk<codegen::schedule::Loop>(variant.body, [&](const auto& loop) {
          has_grids = has_grids || loop.kind == codegen::schedule::LoopKind::block;
        });
        if (has_grids != takes_grids)
          return fmt::format("schedule @{} has {}loops over blocks, and --target {} {}", schedule.name,
                             has_grids ? "" : "no ", target, takes_grids ? "needs them" : "takes none");
      }
  return std::nullopt;
}

bool has_barriers(const codegen::Unit& unit) {
  bool found = false;
  for (const auto& [name, function] : unit.functions)
    for (const codegen::schedule::Schedule& schedule : function.scheduled.schedules)
      for (const auto& variant : schedule.variants)
        codegen::schedule::walk<codegen::schedule::Barrier>(variant.body, [&](const auto&) { found = true; });
  return found;
}

Status refuse(const std::string& why) {
  print_error("dlopt: " + why + "\n");
  return wrong_input;
}

Status run_steps(codegen::Unit& unit, const StepRunOptions& options, dlvm::Diagnostics& diagnostics) {
  const codegen::PipelineOptions pipeline = pipeline_options(options.each);
  if (const auto why = foreign_schedule(unit, options.target)) return refuse(*why);
  if (unit.level == codegen::Level::schedules)
    if (const auto wrong = codegen::verify(unit)) return refuse(*wrong);
  if (options.optimize && has_barriers(unit))
    return refuse("-O would insert barriers into a schedule that has them; name single steps with -p");
  if (options.optimize && !run_pipeline(unit, codegen::Level::schedules, diagnostics, pipeline))
    return wrong_input;
  for (const codegen::Step* step : options.steps) {
    if (step->from != unit.level)
      return refuse(
          fmt::format("{} takes {}, and these are {}", step->name, name_of(step->from), name_of(unit.level)));
    if (step->applies != nullptr && !step->applies(unit))
      return refuse(fmt::format("{} is no step of --target {}", step->name, options.target));
    if (!run_step(*step, unit, diagnostics, pipeline)) return wrong_input;
  }
  if (options.print) print(codegen::print(unit, unit.level));
  return done;
}

/// Gives the unit its machine, then runs the steps.
Status run_on_machine(codegen::Unit unit, const StepRunOptions& options) {
  dlvm::Diagnostics diagnostics;
  const auto host = codegen::object::make_target_machine({"", options.cpu}, diagnostics);
  Status status = wrong_input;
  if (host != nullptr) {
    codegen::target::gpu::DeviceOptions devices;
    devices.tf32 = options.tf32;
    if (const auto asked = codegen::parse_architecture(options.architecture))
      devices.architectures = {*asked};
    llvm::LLVMContext context;
    codegen::KernelPrograms programs;
    unit.backend = codegen::target_named(options.target)->backend;
    unit.machine = unit.backend->machines(*host, devices).front();
    unit.programs = &programs;
    unit.host = host.get();
    unit.context = &context;
    status = run_steps(unit, options, diagnostics);
    unit.code.reset();  // before its context
  }
  print_error(dlvm::render(diagnostics));
  return status;
}

}  // namespace

Status run_steps_on_text(const std::string& file, const std::string& text, const StepRunOptions& options) {
  std::string error;
  auto unit = codegen::read_unit(text, error);
  if (unit) return run_on_machine(std::move(*unit), options);
  print_error(fmt::format("dlopt: {}: {}\n", file, error));
  return wrong_input;
}

Status run_steps_on_module(const dlvm::Module& module, const StepRunOptions& options) {
  codegen::Unit unit;
  unit.name = module.name();
  for (const auto& function : module.functions())
    if (!function->gradient && !function->blocks().empty())
      unit.functions[function->name()].source = function.get();
  return run_on_machine(std::move(unit), options);
}

}  // namespace telc
