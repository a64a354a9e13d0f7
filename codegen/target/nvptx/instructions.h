#pragma once

#include <llvm/IR/Module.h>

namespace codegen::target::nvptx {

/// Replaces the calls of device operations by LLVM's intrinsics for NVPTX.
void lower_to_nvptx(llvm::Module& module);

/// Returns the least version of PTX that has the instructions of the module's device operations: 70 for 7.0.
/// It does not consider the architecture.
int ptx_version(const llvm::Module& module);

}  // namespace codegen::target::nvptx
