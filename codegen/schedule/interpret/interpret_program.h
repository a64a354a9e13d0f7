#pragma once

#include <span>

#include "codegen/kernel/interpret/interpret.h"
#include "codegen/schedule/ir/scheduled_program.h"

/// The meaning of programs of schedules, by the interpreter of schedules (schedule/interpret/interpret.h).
namespace codegen::schedule {

/// Runs a program by one schedule for each kernel. `inputs` are the function's arguments in order. Every
/// value has memory of its own.
kernel::Execution interpret(const kernel::Program& program, std::span<const Schedule> schedules,
                            std::span<const dlvm::Tensor> inputs, const dlvm::Extent::Bindings& dimensions,
                            std::uint32_t seed = 0);
/// Runs a scheduled program whose values in the arena share the slots of the plan.
kernel::Execution interpret(const ScheduledProgram& scheduled, std::span<const dlvm::Tensor> inputs,
                            const dlvm::Extent::Bindings& dimensions, std::uint32_t seed = 0);

}  // namespace codegen::schedule
