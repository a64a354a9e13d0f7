#pragma once

#include "codegen/target/gpu/emit_kernels.h"

namespace codegen::target::gpu {

/// Adds the function `name` of type `tel_enqueue` to the host's module and returns it. The host decides the
/// program's conditions.
llvm::Function* emit_enqueue(llvm::Module& host, const std::string& name,
                             const schedule::ScheduledProgram& scheduled, const ProgramGrids& grids,
                             const std::vector<std::string>& names);

/// The form of a program in which the device decides its conditions, as runtime/abi.h's `DeviceProgram`
/// describes.
struct GraphFunction {
  llvm::Function* function = nullptr;  ///< null if the program has no conditions for the host
  std::uint32_t handle_count = 0;
  std::vector<std::uint32_t> aliases;
};

/// Adds the function `name` that makes the program's graph, unless the program has no conditions for the
/// host.
GraphFunction emit_enqueue_graph(llvm::Module& host, const std::string& name,
                                 const schedule::ScheduledProgram& scheduled, const ProgramGrids& grids,
                                 const std::vector<std::string>& names);

/// Returns whether the function that `emit_enqueue` adds for the program calls `queue->read`.
bool reads_conditions(const kernel::Program& program);

}  // namespace codegen::target::gpu
