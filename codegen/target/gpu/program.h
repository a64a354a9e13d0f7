#pragma once

#include <llvm/IR/Module.h>

#include <string>
#include <unordered_map>
#include <vector>

#include "codegen/program/scheduled.h"
#include "codegen/schedule/gpu/target.h"

/// The part of the GPU targets that is the same for all chips and the emulator: a module of kernels, and host
/// code that launches them.
namespace codegen::target::gpu {

/// A grid's code in the kernel module: `void NAME(ptr words, i32 position…)` as runtime/abi.h's `Kernel`
/// says.
struct Kernel {
  std::string name;
  std::size_t arguments = 0;  ///< positions
  unsigned threads = 0;       ///< of a block
  std::int64_t shared = 0;    ///< bytes of a block
  bool one_block = false;     ///< of every grid: it may have all registers of a multiprocessor
};

/// All kernels of a module, by what they compute, so that functions share them.
struct Kernels {
  std::vector<Kernel> all;
  std::unordered_map<CanonicalKey, std::size_t, CanonicalKeyHash> known;
  bool lines = false;  ///< PTX names the lines of the source
};

/// One grid of a launch: run where the guards hold and those of no earlier variant do.
struct Grid {
  std::size_t variant = 0;
  std::size_t kernel = 0;  ///< in `Kernels::all`
  dlvm::Extent blocks;
  std::vector<schedule::BufferId> arguments;  ///< of its kernel's positions, the schedule's buffers
};

/// A function's schedules, see codegen/schedule/gpu/gpu.h. `function` is the program's. Small networks become
/// one launch (join_launches.h) where `joins`; the results have the same bits without.
Scheduled schedule_program(kernel::Program program, const dlvm::Function& function,
                           const schedule::gpu::GpuTarget& target, bool tf32 = false, bool joins = true);

/// Adds the function's kernels to `code`, unless they are there, and gives the grids of each of its program's
/// kernels. `names` are the dimensions in the order of the words.
std::vector<std::vector<Grid>> emit_kernels(llvm::Module& code, Kernels& kernels, const Scheduled& scheduled,
                                            const std::vector<std::string>& names);

/// Adds the function `name` of type `tel_enqueue` to the host's module.
llvm::Function* emit_enqueue(llvm::Module& host, const std::string& name, const Scheduled& scheduled,
                             const std::vector<std::vector<Grid>>& grids,
                             const std::vector<std::string>& names);

/// The program's literals, in the order in which their addresses stand in the words.
std::vector<const dlvm::Tensor*> literals(const kernel::Program& program);

}  // namespace codegen::target::gpu
