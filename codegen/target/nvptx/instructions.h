#pragma once

#include <llvm/IR/Module.h>

namespace codegen::target::nvptx {

/// Replaces the calls of device operations by LLVM's intrinsics for NVPTX.
void lower_to_nvptx(llvm::Module& module);

/// The least version of PTX that has the instructions of the module's device operations: 70 for 7.0, which
/// says nothing of what a chip needs.
int ptx_version(const llvm::Module& module);

}  // namespace codegen::target::nvptx
