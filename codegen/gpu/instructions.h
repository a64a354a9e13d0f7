#pragma once

#include <llvm/IR/Module.h>

namespace codegen::gpu {

/// Replaces the calls of device operations by LLVM's intrinsics for NVPTX.
void lower_to_nvptx(llvm::Module& module);

}  // namespace codegen::gpu
