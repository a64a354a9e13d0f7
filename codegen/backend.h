#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "codegen/kernel/build/build.h"
#include "codegen/schedule/cpu/pack_operands.h"
#include "codegen/schedule/cpu/schedule_for_cpu.h"
#include "codegen/schedule/gpu/target.h"
#include "codegen/schedule/ir/scheduled_program.h"
#include "codegen/target/gpu/device.h"

namespace llvm {
class TargetMachine;
}

/// A backend is a value: the functions and limits by which the pipeline compiles for one kind of machine.
namespace codegen {

struct Unit;

/// The form of a target's programs.
enum class ProgramForm : std::uint8_t {
  core,   ///< a program is a function of the host's module, run by one thread
  grids,  ///< a program is grids of blocks of threads in a module of their own, which the host launches
};

/// The machine, or the class of machines, that one program is compiled for.
struct Machine {
  /// The properties of the machine that schedules depend on.
  std::variant<schedule::cpu::CpuTarget, schedule::gpu::GpuTarget> description;
  /// For grids: the GPU architectures that run the program.
  std::vector<target::gpu::Architecture> architectures = {};
  bool tf32 = false;          ///< for grids: float32 products use one tf32 term
  bool single_blocks = true;  ///< for grids: a small network becomes one launch of one block
  /// Says how kernels are built; machines of equal policies share the programs.
  kernel::KernelPolicy kernels = {};
};

/// The functions and limits by which programs become code for one kind of machine. The steps of the pipeline
/// (pipeline.h) call these functions.
struct Backend {
  ProgramForm form = ProgramForm::core;
  bool in_place = true;  ///< a launch may write a value over one whose lifetime ends in that launch
  /// Returns the machines that the options ask for, the most capable first. A program is made for each.
  std::vector<Machine> (*machines)(const llvm::TargetMachine& host, const target::gpu::DeviceOptions&);
  /// Combines launches of small kernels; null if each kernel keeps its launch.
  void (*join_launches)(kernel::Program&, const Machine&) = nullptr;
  /// Packs inputs at some positions before all calls, as `schedule::cpu::freeze_operands` does; null if
  /// products do not read packed operands.
  std::vector<schedule::cpu::FrozenOperand> (*freeze_operands)(kernel::Program&,
                                                               const std::set<std::uint32_t>& inputs,
                                                               const Machine&) = nullptr;
  /// Packs operands of products that loops use again; null if products do not read packed operands.
  void (*pack_operands)(kernel::Program&, const Machine&) = nullptr;
  /// Marks the scopes that become one kernel; null if the host decides all conditions.
  void (*fuse_control_flow)(schedule::ScheduledProgram&, const Machine&) = nullptr;
  /// Returns the loop nest of a kernel, before the passes on schedules run.
  schedule::Schedule (*schedule)(const kernel::Kernel&, const Machine&);
  /// Returns the buffers of a schedule that are allocated in the workspace.
  schedule::Workspace (*workspace)(const schedule::Schedule&);
  /// Fills `Unit::code`, and `Unit::grids` if programs are grids.
  void (*emit)(Unit&);
};

}  // namespace codegen
