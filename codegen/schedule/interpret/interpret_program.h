#pragma once

#include <span>

#include "codegen/kernel/interpret/interpret.h"
#include "codegen/schedule/ir/scheduled_program.h"

/// The meaning of programs of schedules, by the interpreter of schedules (schedule/interpret/interpret.h).
namespace codegen::schedule {

/// A program, by one schedule a kernel; inputs by position among the function's parameters. Every value has
/// memory of its own.
kernel::Execution interpret(const kernel::Program& program, std::span<const Schedule> schedules,
                            std::span<const dlvm::Tensor> inputs, const dlvm::Extent::Bindings& dimensions,
                            std::uint32_t seed = 0);
/// The same with the values of the arena in the slots of the plan.
kernel::Execution interpret(const ScheduledProgram& scheduled, std::span<const dlvm::Tensor> inputs,
                            const dlvm::Extent::Bindings& dimensions, std::uint32_t seed = 0);

}  // namespace codegen::schedule
