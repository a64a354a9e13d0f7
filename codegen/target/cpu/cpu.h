#pragma once

#include <llvm/IR/Module.h>

#include <span>
#include <string>
#include <vector>

#include "codegen/math/simd.h"
#include "codegen/schedule/cpu/cpu.h"
#include "codegen/schedule/ir/program.h"

namespace llvm {
class TargetMachine;
}

/// The target for one core: schedules to LLVM functions.
namespace codegen::target::cpu {

/// What of the machine decides on code and schedules.
math::Features features_of(const llvm::TargetMachine& machine);
schedule::cpu::CpuTarget cpu_target_of(const llvm::TargetMachine& machine);

/// Of a schedule: what does not fit on the stack.
schedule::Workspace workspace(const schedule::Schedule& schedule);

/// Adds void NAME(ptr argument…, ptr workspace…, ptr dimensions, ptr context): `dimensions` points to the
/// values of `names`; `context` is runtime/abi.h's. `sites` are the program's. With `lines`, debuggers find
/// those of the source.
llvm::Function* emit(llvm::Module& module, const std::string& name, const schedule::Schedule& schedule,
                     std::span<const kernel::CheckSite> sites, const std::vector<std::string>& names,
                     math::Features features, bool lines = false);

}  // namespace codegen::target::cpu
