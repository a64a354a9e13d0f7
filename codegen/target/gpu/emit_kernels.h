#pragma once

#include <llvm/IR/Module.h>

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "codegen/schedule/ir/scheduled_program.h"

/// The part of the GPU targets that all architectures and the emulator share. It takes scheduled programs and
/// gives a module of kernels and, in the host's module, the functions that launch them. Afterwards each grid
/// of a program is one kernel of that module, and a target replaces the kernels' device operations by its own
/// instructions.
namespace codegen::target::gpu {

/// The code of a grid in the kernel module: `void NAME(ptr argument_buffer, i32 argument_slot…)` as
/// runtime/abi.h's `Kernel` describes.
struct Kernel {
  std::string name;
  std::size_t arguments = 0;  ///< the number of its argument slots
  unsigned threads = 0;       ///< threads of a block
  std::int64_t shared = 0;    ///< bytes of shared memory of a block
  bool one_block = false;     ///< every grid has one block, which may use all registers of a multiprocessor
};

/// All kernels of a module by the canonical keys of their schedules, which leave out names. Kernels that
/// compute the same share one function. Those that update inputs do nothing after a failed check.
struct Kernels {
  using Known = std::unordered_map<schedule::CanonicalKey, std::size_t, schedule::CanonicalKeyHash>;
  std::vector<Kernel> all;
  Known known, known_of_updates;
  bool lines = false;  ///< the kernels carry debug lines of the source
};

/// One grid of a launch. It runs if the guards of its variant hold and those of no earlier variant do.
struct Grid {
  std::size_t variant = 0;
  std::size_t kernel = 0;  ///< its index in `Kernels::all`
  dlvm::Extent blocks;
  std::vector<schedule::BufferId> arguments;  ///< the schedule's buffer for each argument slot of the kernel
};

/// A fused scope: one kernel of one block.
struct FusedScope {
  std::size_t kernel = 0;               ///< its index in `Kernels::all`
  std::vector<kernel::ValueId> values;  ///< the value for each argument slot of the kernel
};

/// The grids that the host launches for a program.
struct ProgramGrids {
  std::vector<std::vector<Grid>> of_kernel;    ///< the grids of each kernel that it launches
  std::map<std::string, FusedScope> of_scope;  ///< by the scope's name
};

/// Returns the buffers of a schedule that are allocated in the workspace: those that one grid passes to
/// another.
schedule::Workspace workspace(const schedule::Schedule& schedule);

/// Adds the kernels of a program to `code`, unless `kernels` has them, and returns what the host launches.
/// `names` are the dimensions in the order of the argument buffer.
ProgramGrids emit_kernels(llvm::Module& code, Kernels& kernels, const schedule::ScheduledProgram& scheduled,
                          const std::vector<std::string>& names);

/// Returns the program's literals, in the order in which the argument buffer contains their addresses.
std::vector<const dlvm::Tensor*> literals(const kernel::Program& program);

}  // namespace codegen::target::gpu
