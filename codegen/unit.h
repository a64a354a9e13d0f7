#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "codegen/backend.h"
#include "dlvm/ir/module.h"

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
}  // namespace llvm

/// A unit is what one run of the pipeline compiles: functions of one module for one machine.
namespace codegen {

class KernelPrograms;

/// The representation that a unit's functions have reached. Levels are ordered; a unit never goes back.
enum class Level : std::uint8_t {
  tensors,    ///< DLVM functions
  kernels,    ///< kernel programs
  schedules,  ///< kernel programs with a schedule for each kernel
  planned,    ///< schedules with a place in the workspace for each value and buffer that needs one
  code,       ///< LLVM IR
};

/// Holds what the pipeline's steps work on: functions of one module, compiled for one machine.
struct Unit {
  /// One function, with its program from level `kernels` on and its schedules from level `schedules` on.
  struct Function {
    const dlvm::Function* source = nullptr;  ///< null if the unit was read from text
    schedule::ScheduledProgram scheduled = {};
    /// The dimensions in the order in which the compute function takes them.
    std::vector<std::string> dimensions = {};
    /// The grids that the host launches, for targets that run grids.
    target::gpu::ProgramGrids grids = {};
    /// The results that callers put in the place of inputs: next values of states.
    std::vector<kernel::NextValue> next_values = {};
    /// The programs of all targets write these of them in place, besides rows that replace others.
    std::vector<kernel::NextValue> updates = {};
    /// The parameters of the network among the inputs, by position, if calls only read them.
    std::map<std::uint32_t, std::string> parameters = {};
    /// The name of the function's frozen form, or empty if it has none.
    std::string frozen_form = {};
    /// The positions in `Unit::frozen` of the operands that a frozen form takes after the inputs of its
    /// function.
    std::vector<std::size_t> frozen = {};
  };

  /// Memory that is filled once from a parameter, for many calls of frozen forms: functions that compute the
  /// same as others and read this memory besides.
  struct FrozenOperand {
    std::string parameter;  ///< the parameter's name
    std::string function;   ///< the function that fills the memory: of the parameter, with one result
  };

  std::string name;  ///< the module's name
  const Backend* backend = nullptr;
  Machine machine = {};
  bool lines = false;  ///< the code carries debug lines of the source
  KernelPrograms* programs = nullptr;
  const llvm::TargetMachine* host = nullptr;
  llvm::LLVMContext* context = nullptr;  ///< owns the types and constants of `code`

  Level level = Level::tensors;
  std::map<std::string, Function> functions = {};
  std::vector<FrozenOperand> frozen = {};
  std::shared_ptr<llvm::Module> code = {};
  target::gpu::Kernels grids = {};  ///< the functions of `code`, for targets that run grids
  std::size_t steps = 0;            ///< the number of steps that have run or were skipped
};

}  // namespace codegen
