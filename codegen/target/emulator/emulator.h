#pragma once

#include <llvm/IR/Module.h>

#include <span>
#include <string>

/// The target that runs the kernels of devices on the processor and checks what they do. It takes the module
/// that other targets take, and gives code for the host in which every device operation is a call of
/// `runtime/emulator/operations.h`, and every access to memory that other threads may reach is announced by
/// one.
namespace codegen::target::emulator {

/// Makes the module the host's, in place; its functions become internal. Each of the kernels named gets a
/// function `NAME.emulated`, of the type of runtime/abi.h's `Kernel::emulated`, which is all that the host
/// refers to. Lines of the source come from debug locations, which are taken out.
void lower_for_emulator(llvm::Module& kernels, std::span<const std::string> names);

}  // namespace codegen::target::emulator
