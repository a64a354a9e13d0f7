#pragma once

#include <llvm/IR/Module.h>

#include <span>
#include <string>
#include <vector>

#include "codegen/math/simd.h"
#include "codegen/schedule/cpu/schedule_for_cpu.h"
#include "codegen/schedule/ir/scheduled_program.h"

namespace llvm {
class TargetMachine;
}

/// The target for one core. It takes schedules and gives functions of the host's module; emit_program.h joins
/// them to the compute functions that runtime/abi.h describes. Afterwards the host's module contains all code
/// that the table of entry points names.
namespace codegen::target::cpu {

/// Return the properties of the machine on which code and schedules depend.
math::Features features_of(const llvm::TargetMachine& machine);
schedule::cpu::CpuTarget cpu_target_of(const llvm::TargetMachine& machine);

/// Returns the buffers of a schedule that do not fit on the stack, so that the caller passes memory for them.
schedule::Workspace workspace(const schedule::Schedule& schedule);

/// Adds the function void NAME(ptr argument…, ptr workspace…, ptr dimensions, ptr context) and returns it.
/// `dimensions` points to the values of the dimensions `names`, as i64; `context` is the `tel_context` of
/// runtime/abi.h. `sites` are the check sites of the schedule's program (kernel/ir/program.h). With `lines`,
/// the function carries debug lines of the source.
llvm::Function* emit(llvm::Module& module, const std::string& name, const schedule::Schedule& schedule,
                     std::span<const kernel::CheckSite> sites, const std::vector<std::string>& names,
                     math::Features features, bool lines = false);

}  // namespace codegen::target::cpu
