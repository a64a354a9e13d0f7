#pragma once

#include <llvm/IR/Module.h>

#include <span>
#include <string>

/// The emulator target, which runs the kernels of devices on the processor and checks what they do. It takes
/// the module of kernels that other targets take and gives code for the host. Afterwards every device
/// operation is a call of `runtime/emulator/operations.h`, and a call announces every access to memory that
/// other threads may reach.
namespace codegen::target::emulator {

/// Lowers the module for the host, in place; its functions become internal. Each kernel of `names` gets a
/// function `NAME.emulated` of the type of runtime/abi.h's `Kernel::emulated`, and the host refers to these
/// alone. Debug locations give the lines of the source and are removed.
void lower_for_emulator(llvm::Module& kernels, std::span<const std::string> names);

}  // namespace codegen::target::emulator
