#include "codegen/pipeline.h"

#include <fmt/format.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <unordered_map>
#include <utility>

#include "codegen/kernel/build/build.h"
#include "codegen/kernel/ir/hash.h"
#include "codegen/kernel/ir/walk.h"
#include "codegen/kernel/memory/coalesce.h"
#include "codegen/kernel/memory/update_inputs.h"
#include "codegen/kernel/text/text.h"
#include "codegen/kernel/verify/verify.h"
#include "codegen/schedule/gpu/barriers.h"
#include "codegen/schedule/gpu/expand_pipelines.h"
#include "codegen/schedule/ir/walk.h"
#include "codegen/schedule/text/text.h"
#include "codegen/schedule/transform/simplify.h"
#include "codegen/schedule/verify/verify.h"
#include "codegen/schedule/verify/verify_model.h"
#include "dlvm/support/internal_error.h"

namespace codegen {
namespace {

using schedule::Schedule;
using schedule::ScheduledProgram;

bool has_grids(const Unit& unit) { return unit.backend->form == ProgramForm::grids; }
bool backend_packs_operands(const Unit& unit) { return unit.backend->pack_operands != nullptr; }
bool backend_freezes_operands(const Unit& unit) { return unit.backend->freeze_operands != nullptr; }
bool backend_joins_launches(const Unit& unit) { return unit.backend->join_launches != nullptr; }

bool build_kernels(Unit& unit, dlvm::Diagnostics& diagnostics) {
  for (auto& [name, function] : unit.functions) {
    const kernel::Program* program =
        unit.programs->get(*function.source, unit.machine.kernels, function.next_values, diagnostics);
    if (program == nullptr) return false;
    function.scheduled = schedule::of_program(*program);
    if (function.dimensions.empty()) function.dimensions = program->dimensions;
  }
  return true;
}

bool update_inputs(Unit& unit, dlvm::Diagnostics&) {
  for (auto& [name, function] : unit.functions)
    kernel::update_inputs(function.scheduled.program, function.updates, function.next_values);
  return true;
}

bool coalesce(Unit& unit, dlvm::Diagnostics&) {
  for (auto& [name, function] : unit.functions) kernel::coalesce(function.scheduled.program);
  return true;
}

bool join_launches(Unit& unit, dlvm::Diagnostics&) {
  for (auto& [name, function] : unit.functions)
    unit.backend->join_launches(function.scheduled.program, unit.machine);
  return true;
}

/// Adds a function to the unit under a name that no other one has, and returns the name.
std::string add_function(Unit& unit, std::string name, Unit::Function function) {
  while (unit.functions.contains(name)) name += '_';
  function.scheduled.program.name = name;
  unit.functions.emplace(name, std::move(function));
  return name;
}

/// Returns a program that runs the kernel on one input.
kernel::Program program_of(kernel::Kernel kernel) {
  using Place = kernel::Value::Place;
  kernel::Program program;
  for (const kernel::Buffer& buffer : kernel.buffers)
    program.values.push_back(
        {buffer.written ? Place::output : Place::input, 0, buffer.name, buffer.element, buffer.shape});
  program.kernels.push_back(std::move(kernel));
  program.body.push_back({kernel::Launch{0, {0, 1}}});
  return program;
}

/// Collects the operands that a unit's frozen forms read. Functions that read the same panels share them, and
/// panels that are made in the same way share the function.
class FrozenOperands {
 public:
  explicit FrozenOperands(Unit& unit) : unit_(unit) {
    for (std::size_t i = 0; i < unit.frozen.size(); ++i) {
      const auto& [parameter, function] = unit.frozen[i];
      operands_.try_emplace({parameter, function}, i);
      const auto& kernels = unit.functions.at(function).scheduled.program.kernels;
      functions_.try_emplace(without_annotations(kernels[0]), function);
    }
  }

  /// Returns the position of the operand in `Unit::frozen`.
  std::size_t add(const std::string& parameter, kernel::Kernel pack) {
    const std::string function = function_of(std::move(pack));
    const auto [known, is_new] = operands_.try_emplace({parameter, function}, unit_.frozen.size());
    if (is_new) unit_.frozen.push_back({parameter, function});
    return known->second;
  }

 private:
  /// Returns the name of the function that runs the kernel.
  std::string function_of(kernel::Kernel pack) {
    const auto [known, is_new] = functions_.try_emplace(without_annotations(pack));
    if (is_new)
      known->second =
          add_function(unit_, "pack", {nullptr, schedule::of_program(program_of(std::move(pack)))});
    return known->second;
  }

  Unit& unit_;
  std::unordered_map<kernel::Kernel, std::string, kernel::KernelHash> functions_;  ///< without annotations
  std::map<std::pair<std::string, std::string>, std::size_t> operands_;
};

bool freeze_operands(Unit& unit, dlvm::Diagnostics&) {
  std::vector<std::string> names;
  for (const auto& [name, function] : unit.functions)
    if (!function.parameters.empty()) names.push_back(name);
  FrozenOperands frozen(unit);
  for (const std::string& name : names) {
    Unit::Function& function = unit.functions.at(name);
    std::set<std::uint32_t> inputs;
    for (const auto& [position, parameter] : function.parameters) inputs.insert(position);
    kernel::Program program = function.scheduled.program;
    const auto operands = unit.backend->freeze_operands(program, inputs, unit.machine);
    if (operands.empty()) continue;
    Unit::Function form{nullptr, schedule::of_program(std::move(program)), function.dimensions};
    for (const auto& operand : operands)
      form.frozen.push_back(frozen.add(function.parameters.at(operand.input), operand.pack));
    function.frozen_form = add_function(unit, name + ".frozen", std::move(form));
  }
  return true;
}

bool pack_operands(Unit& unit, dlvm::Diagnostics&) {
  for (auto& [name, function] : unit.functions)
    unit.backend->pack_operands(function.scheduled.program, unit.machine);
  return true;
}

bool schedule_kernels(Unit& unit, dlvm::Diagnostics&) {
  for (auto& [name, function] : unit.functions)
    for (const kernel::Kernel& kernel : function.scheduled.program.kernels)
      function.scheduled.schedules.push_back(unit.backend->schedule(kernel, unit.machine));
  return true;
}

template <void (*pass)(Schedule&)>
bool on_schedules(Unit& unit, dlvm::Diagnostics&) {
  for (auto& [name, function] : unit.functions)
    for (Schedule& schedule : function.scheduled.schedules) pass(schedule);
  return true;
}

bool backend_fuses_control_flow(const Unit& unit) { return unit.backend->fuse_control_flow != nullptr; }

bool fuse_control_flow(Unit& unit, dlvm::Diagnostics&) {
  for (auto& [name, function] : unit.functions)
    unit.backend->fuse_control_flow(function.scheduled, unit.machine);
  return true;
}

bool plan_memory(Unit& unit, dlvm::Diagnostics&) {
  for (auto& [name, function] : unit.functions)
    schedule::plan_memory(function.scheduled, unit.backend->in_place, unit.backend->workspace);
  return true;
}

bool emit(Unit& unit, dlvm::Diagnostics&) {
  unit.code = std::make_shared<llvm::Module>(unit.name, *unit.context);
  unit.backend->emit(unit);
  return true;
}

using enum Level;

constexpr Step all_steps[]{
    {"build-kernels", "fuses instructions into kernels; equal kernels of a function are one", "kernels",
     tensors, kernels, nullptr, build_kernels},
    {"update-inputs",
     "next values are written in place; before launches are joined, which hides what one reads", "kernels",
     kernels, kernels, nullptr, update_inputs},
    {"coalesce", "loops update values in place; before launches are joined, which hides what one reads",
     "kernels", kernels, kernels, nullptr, coalesce},
    {"join-launches",
     "a launch costs more than a small kernel does; only kernels can be joined, not schedules", "schedule",
     kernels, kernels, backend_joins_launches, join_launches},
    {"freeze-operands", "adds functions that read parameters as panels; before loops pack them", "schedule",
     kernels, kernels, backend_freezes_operands, freeze_operands},
    {"pack-operands",
     "only kernels can be divided; after values are coalesced, which says what a loop changes", "schedule",
     kernels, kernels, backend_packs_operands, pack_operands},
    {"schedule", "chooses loops, threads and tiles for each kernel", "schedule", kernels, schedules, nullptr,
     schedule_kernels},
    {"simplify", "before barriers, which fewer loops need fewer of", "schedule", schedules, schedules,
     nullptr, on_schedules<schedule::simplify>},
    {"insert-barriers", "before pipelines are expanded, whose stages need none among themselves", "schedule",
     schedules, schedules, has_grids, on_schedules<schedule::gpu::insert_barriers>},
    {"expand-pipelines", "turns panels into multistage buffers that are filled ahead", "schedule", schedules,
     schedules, has_grids, on_schedules<schedule::gpu::expand_pipelines>},
    {"simplify", "the loops that expansion adds have few trips", "schedule", schedules, schedules, has_grids,
     on_schedules<schedule::simplify>},
    {"fuse-control-flow",
     "only schedules say which launches have one block, so that a loop of them can be one", "schedule",
     schedules, schedules, backend_fuses_control_flow, fuse_control_flow},
    {"plan-memory", "after all schedules, which say what workspace kernels need", "schedule", schedules,
     planned, nullptr, plan_memory},
    {"emit", "writes LLVM IR; optimization is LLVM's", "emit", planned, code, nullptr, emit},
};

// -------------------------------------------------------------------------------------------- the driver

std::string place_of(const dlvm::Location& location) {
  return location.valid()
             ? fmt::format(" ({}:{}:{})", location.source->name(), location.line, location.column)
             : "";
}

dlvm::Location location_of(const kernel::Kernel& kernel) {
  dlvm::Location first;
  kernel::walk<kernel::Stage>(kernel.root, [&](const kernel::Stage& stage) {
    if (!first.valid() && !stage.locations.empty()) first = stage.locations.front();
  });
  return first;
}

dlvm::Location location_of(const Schedule& schedule) {
  dlvm::Location first;
  for (const schedule::Variant& variant : schedule.variants)
    schedule::walk<schedule::Origin>(variant.body, [&](const schedule::Origin& origin) {
      if (!first.valid()) first = origin.location;
    });
  return first;
}

/// Returns the first part that does not verify, with its text, or nothing.
template <typename Parts>
std::optional<std::string> first_wrong(const Parts& parts, const std::string& function) {
  for (const auto& part : parts)
    if (const auto wrong = verify(part))
      return fmt::format("@{}{} does not verify: {}\n{}", function, place_of(location_of(part)), *wrong,
                         print(part));
  return std::nullopt;
}

/// Returns the first schedule that the unit's target cannot run, with its text, or nothing.
std::optional<std::string> first_foreign(const Unit& unit, const std::vector<Schedule>& schedules,
                                         const std::string& function) {
  if (unit.backend == nullptr) return std::nullopt;  // of a text that has no target yet
  for (const Schedule& schedule : schedules)
    if (const auto wrong =
            has_grids(unit) ? schedule::verify_for_grids(schedule) : schedule::verify_for_core(schedule))
      return fmt::format("@{}{} does not verify for its target: {}\n{}", function,
                         place_of(location_of(schedule)), *wrong, print(schedule));
  return std::nullopt;
}

std::optional<std::string> verify_program(const kernel::Program& program) {
  if (auto wrong = first_wrong(program.kernels, program.name)) return wrong;
  if (const auto wrong = kernel::verify(program))
    return fmt::format("@{} does not verify: {}\n{}", program.name, *wrong, print(program));
  return std::nullopt;
}

/// The lines as a comment, which readers of kernels and schedules skip.
std::string as_comment(std::string_view lines) {
  std::string text;
  for (const char c : lines) {
    if (text.empty() || text.back() == '\n') text += "// ";
    text += c;
  }
  return text;
}

std::optional<std::string> verify_code(const llvm::Module& module) {
  std::string problems;
  llvm::raw_string_ostream stream(problems);
  if (!llvm::verifyModule(module, &stream)) return std::nullopt;
  return "the LLVM IR does not verify: " + problems;
}

}  // namespace

const kernel::Program* KernelPrograms::get(const dlvm::Function& function, const kernel::KernelPolicy& policy,
                                           const std::vector<kernel::NextValue>& next_values,
                                           dlvm::Diagnostics& diagnostics) {
  for (const auto& entry : entries_)
    if (entry->function == &function && entry->policy == policy && entry->next_values == next_values)
      return &entry->program;
  kernel::BuildOptions options;
  options.policy = policy;
  options.next_values = next_values;
  auto program = kernel::build(function, diagnostics, options);
  if (!program) return nullptr;
  entries_.push_back(std::make_unique<Entry>(Entry{&function, policy, next_values, std::move(*program)}));
  return &entries_.back()->program;
}

std::span<const Step> steps() { return all_steps; }

const Step* step_named(std::string_view name) {
  for (const Step& step : all_steps)
    if (step.name == name) return &step;
  return nullptr;
}

std::optional<std::string> verify(const Unit& unit) {
  if (unit.level == code) return verify_code(*unit.code);
  for (const auto& [name, function] : unit.functions) {
    const ScheduledProgram& scheduled = function.scheduled;
    if (unit.level == kernels)
      if (auto wrong = verify_program(scheduled.program)) return wrong;
    if (auto wrong = first_wrong(scheduled.schedules, name)) return wrong;
    if (auto wrong = first_foreign(unit, scheduled.schedules, name)) return wrong;
    if (unit.level != planned) continue;
    if (const auto wrong = verify(scheduled.plan, scheduled.program))
      return fmt::format("the memory of @{} does not verify: {}\n{}", name, *wrong,
                         print_plan(scheduled.plan, scheduled.program));
  }
  return std::nullopt;
}

std::string print(const Unit& unit, Level level) {
  std::string text;
  if (level == code) {
    llvm::raw_string_ostream stream(text);
    unit.code->print(stream, nullptr);
    return text;
  }
  for (const auto& [name, function] : unit.functions) {
    if (level == kernels) text += kernel::print(function.scheduled.program) + "\n";
    if (level == schedules || level == planned)
      for (const Schedule& schedule : function.scheduled.schedules) text += schedule::print(schedule) + "\n";
    if (level == planned)
      text += as_comment(kernel::print_plan(function.scheduled.plan, function.scheduled.program));
  }
  return text;
}

bool run_step(const Step& step, Unit& unit, dlvm::Diagnostics& diagnostics, const PipelineOptions& options) {
  const dlvm::ScopedTimer timer(options.times, step.phase);
  const auto start = std::chrono::steady_clock::now();
  if (!step.run(unit, diagnostics)) return false;
  unit.level = step.to;
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (options.after) options.after(step, unit, seconds.count());
  if (!options.verify_each) return true;
  if (const auto wrong = verify(unit)) dlvm::internal_error(fmt::format("after {}, {}", step.name, *wrong));
  return true;
}

bool run_pipeline(Unit& unit, Level level, dlvm::Diagnostics& diagnostics, const PipelineOptions& options) {
  const auto* first =
      std::ranges::find_if(all_steps, [&](const Step& step) { return step.from >= unit.level; });
  unit.steps = std::max(unit.steps, static_cast<std::size_t>(first - std::begin(all_steps)));
  for (; unit.steps < std::size(all_steps) && all_steps[unit.steps].to <= level; ++unit.steps) {
    const Step& step = all_steps[unit.steps];
    if (step.applies != nullptr && !step.applies(unit)) continue;
    if (!run_step(step, unit, diagnostics, options)) return false;
  }
  return true;
}

}  // namespace codegen
