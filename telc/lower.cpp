#include "telc/lower.h"

#include <fmt/format.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Target/TargetMachine.h>

#include "codegen/object/target.h"
#include "codegen/read.h"
#include "codegen/target/nvptx/images.h"
#include "telc/command_line.h"
#include "telc/streams.h"

namespace telc {
namespace {

constexpr std::string_view level_names[]{"tensors", "kernels", "schedules", "code"};
std::string_view name_of(codegen::Level level) { return level_names[static_cast<std::size_t>(level)]; }

Status run_steps(codegen::Unit& unit, const LowerOptions& options, dlvm::Diagnostics& diagnostics) {
  const codegen::PipelineOptions pipeline = pipeline_options(options.each);
  if (options.optimize && !run_pipeline(unit, codegen::Level::schedules, diagnostics, pipeline))
    return wrong_input;
  for (const codegen::Step* step : options.steps) {
    if (step->from != unit.level) {
      print_error(fmt::format("dlopt: {} takes {}, and these are {}\n", step->name, name_of(step->from),
                              name_of(unit.level)));
      return wrong_input;
    }
    if (!run_step(*step, unit, diagnostics, pipeline)) return wrong_input;
  }
  if (options.print) print(codegen::print(unit, unit.level));
  return done;
}

/// Gives the unit its machine, then runs the steps.
Status lower(codegen::Unit unit, const LowerOptions& options) {
  dlvm::Diagnostics diagnostics;
  const auto host = codegen::object::make_target_machine({"", options.cpu}, diagnostics);
  Status status = wrong_input;
  if (host != nullptr) {
    codegen::target::gpu::DeviceOptions devices;
    devices.tf32 = options.tf32;
    if (const auto asked = codegen::target::nvptx::parse_architecture(options.architecture))
      devices.architectures = {*asked};
    llvm::LLVMContext context;
    codegen::KernelPrograms programs;
    unit.lowering = codegen::target_named(options.target)->lowering;
    unit.machine = unit.lowering->machines(*host, devices).front();
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

void add_machine_options(CLI::App& app, LowerOptions& options) {
  std::vector<std::string> names;
  for (const codegen::Target& target : codegen::targets()) names.emplace_back(target.name);
  add_value(app, "--target", options.target, "TARGET", "generate code for this target (default: cpu)")
      ->check(CLI::IsMember(names));
  add_value(app, "--mcpu", options.cpu, "CPU", "with this processor (default: x86-64-v3)");
  add_value(app, "--gpu-arch", options.architecture, "NAME", "with this chip (default: sm_90)")
      ->check(CLI::IsMember(codegen::target::nvptx::architectures()));
  app.add_flag("--tf32", options.tf32, "compute float32 products on tensor cores with 10 bits of mantissa");
}

Status lower_text(const std::string& file, const std::string& text, const LowerOptions& options) {
  std::string error;
  auto unit = codegen::read_unit(text, error);
  if (unit) return lower(std::move(*unit), options);
  print_error(fmt::format("dlopt: {}: {}\n", file, error));
  return wrong_input;
}

Status lower_module(const dlvm::Module& module, const LowerOptions& options) {
  codegen::Unit unit;
  unit.name = module.name();
  for (const auto& function : module.functions())
    if (!function->gradient && !function->blocks().empty())
      unit.functions[function->name()].source = function.get();
  return lower(std::move(unit), options);
}

}  // namespace telc
