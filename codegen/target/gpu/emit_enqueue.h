#pragma once

#include "codegen/target/gpu/emit_kernels.h"

namespace codegen::target::gpu {

/// Adds the function `name` of type `tel_enqueue` to the host's module and returns it.
llvm::Function* emit_enqueue(llvm::Module& host, const std::string& name,
                             const schedule::ScheduledProgram& scheduled, const ProgramGrids& grids,
                             const std::vector<std::string>& names);

/// Returns whether the function that `emit_enqueue` adds for the program calls `queue->read`.
bool reads_conditions(const kernel::Program& program);

}  // namespace codegen::target::gpu
