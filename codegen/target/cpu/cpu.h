#pragma once

#include <llvm/IR/Module.h>

#include <set>
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
/// Returns whether the machine has instructions for loads and stores of some lanes.
bool has_masked_accesses(const llvm::TargetMachine& machine);

/// Returns the buffers of a schedule that do not fit on the stack, so that the caller passes memory for them,
/// those of cores behind the others.
schedule::Workspace workspace(const schedule::Schedule& schedule);

/// Returns whether the buffer lies on the stack of the function that allocates it.
bool is_on_stack(const schedule::Buffer& buffer);

/// Returns the buffers that are allocated in core loops, so that each core has its own.
std::set<schedule::BufferId> buffers_of_cores(const schedule::Schedule& schedule);

/// What the code of a kernel depends on besides its schedule.
struct KernelOptions {
  std::span<const kernel::CheckSite> sites;  ///< of the schedule's program (kernel/ir/program.h)
  const std::vector<std::string>& names;     ///< the dimensions, in the order in which the code takes them
  math::Features features;
  bool apart = false;  ///< the memory of a written argument overlaps no other argument
  bool lines = false;  ///< the function carries debug lines of the source
};

/// Adds the function void NAME(ptr argument…, ptr workspace…, ptr dimensions, ptr context) and returns it.
/// `dimensions` points to the values of the dimensions, as i64; `context` is the `tel_context` of
/// runtime/abi.h. A buffer of cores is workspace for each of them, one behind the other.
///
/// Adds besides a function for each core loop, which computes a range of its iterations. The kernel's calls
/// it with all of them, or passes it to `tel_context::divide` if there are several cores and enough work.
llvm::Function* emit(llvm::Module& module, const std::string& name, const schedule::Schedule& schedule,
                     const KernelOptions& options);

}  // namespace codegen::target::cpu
