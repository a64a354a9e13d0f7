#pragma once

#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "codegen/kernel/build/recompute.h"
#include "codegen/schedule/cpu/cpu.h"
#include "codegen/schedule/gpu/target.h"
#include "codegen/schedule/ir/program.h"
#include "codegen/target/gpu/device.h"

namespace llvm {
class TargetMachine;
}

/// Targets are values: what the pipeline and the command lines know of a target stands in its `Target`, and
/// no code outside of a target's folder asks for its name. A target that is not in `targets()` is passed to
/// `compile` like one that is.
namespace codegen {

struct Unit;

/// How programs run.
enum class ExecutionModel : std::uint8_t {
  core,   ///< a program is a function of the host's module, which one thread runs
  grids,  ///< a program is grids of blocks of threads in a module of their own, which the host launches
};

/// A machine, or a class of machines, that one program is made for.
struct Machine {
  /// The capabilities that schedules depend on.
  std::variant<schedule::cpu::CpuTarget, schedule::gpu::GpuTarget> description;
  std::vector<target::gpu::Architecture> architectures = {};  ///< of grids: those whose chips run the program
  bool tf32 = false;                                          ///< of grids: float32 products in one tf32 term
  bool single_blocks = true;  ///< of grids: small networks become one launch of one block
};

/// How programs become code for machines of one kind: what the steps of the pipeline (pipeline.h) ask for.
struct Lowering {
  ExecutionModel model = ExecutionModel::core;
  kernel::RecomputeLimits recompute;  ///< of kernels; programs of equal limits are built once
  bool in_place = true;               ///< values may overwrite others in the launch that ends these
  /// The machines that the options ask for, the most capable first; a program is made for each.
  std::vector<Machine> (*machines)(const llvm::TargetMachine& host, const target::gpu::DeviceOptions&);
  void (*join_launches)(kernel::Program&, const Machine&) = nullptr;  ///< null: each kernel has its launch
  /// The loop nest of a kernel, before the passes on schedules.
  schedule::Schedule (*schedule)(const kernel::Kernel&, const Machine&);
  /// What of a schedule stands in the workspace.
  schedule::Workspace (*workspace)(const schedule::Schedule&);
  /// Fills `Unit::code`, and `grids` where the model is that.
  void (*emit)(Unit&);
};

struct Target {
  std::string_view name;                        ///< as `--target` has it
  const Lowering* lowering = nullptr;           ///< targets that share it share their programs
  const target::gpu::Device* device = nullptr;  ///< of a target whose programs are grids
};

/// Every target of telc, in the order of its help. The first one is the host's.
std::span<const Target> targets();
/// Null where there is none of that name.
const Target* target_named(std::string_view name);
/// The one that gives `--emit` this text; null where none does.
const Target* target_with_text(std::string_view name, const target::gpu::DeviceText*& text);

}  // namespace codegen
