#pragma once

#include <doctest/doctest.h>

#include "codegen/read_unit.h"
#include "codegen/schedule/transform/simplify.h"
#include "codegen/targets.h"

/// Programs and kernels through the pipeline's steps up to their schedules, each step verified; `simplify`
/// leaves nothing for a second run of it.
namespace test {

using codegen::kernel::Kernel;
using codegen::kernel::Program;
using codegen::schedule::ScheduledProgram;

inline void check_simplified(const codegen::Step& step, const codegen::Unit& unit, double) {
  if (step.name != "simplify") return;
  for (const auto& [name, function] : unit.functions)
    for (const codegen::schedule::Schedule& schedule : function.scheduled.schedules) {
      codegen::schedule::Schedule again = schedule;
      simplify(again);
      CHECK_MESSAGE(again == schedule, print(unit, unit.level));
    }
}

inline ScheduledProgram scheduled(Program program, const char* target, codegen::Machine machine) {
  codegen::Unit unit = codegen::unit_of(std::move(program));
  unit.backend = codegen::target_named(target)->backend;
  unit.machine = std::move(machine);
  dlvm::Diagnostics diagnostics;
  run_pipeline(unit, codegen::Level::planned, diagnostics, {.verify_each = true, .after = check_simplified});
  return std::move(unit.functions.begin()->second.scheduled);
}

inline ScheduledProgram scheduled_for_cpu(Program program,
                                          const codegen::schedule::cpu::CpuTarget& processor) {
  return scheduled(std::move(program), "cpu", {processor});
}

/// For the class of chips of that architecture.
inline ScheduledProgram scheduled_for_gpu(Program program, int architecture, bool single_blocks = true) {
  codegen::Machine machine{codegen::schedule::gpu::target_of(architecture)};
  machine.single_blocks = single_blocks;
  return scheduled(std::move(program), "emulator", std::move(machine));
}

inline codegen::schedule::Schedule schedule_for_cpu(const Kernel& kernel,
                                                    const codegen::schedule::cpu::CpuTarget& processor) {
  return std::move(scheduled_for_cpu(codegen::program_of({kernel}), processor).schedules.front());
}
inline codegen::schedule::Schedule schedule_for_gpu(const Kernel& kernel, int architecture,
                                                    bool single_blocks = true) {
  return std::move(
      scheduled_for_gpu(codegen::program_of({kernel}), architecture, single_blocks).schedules.front());
}

}  // namespace test
