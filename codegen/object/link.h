#pragma once

#include <string>

#include "codegen/interface/interface.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace codegen {

/// Sets the module's target and makes all but the interface's C entries internal.
void prepare_module(llvm::Module& module, const Interface& interface, const llvm::TargetMachine& machine);

/// Adds to an optimised module, as assembly, what it uses of the runtime: the functions that it calls, and
/// those of `runtime/support/libcalls.cpp` that the code generator may ask for. Empty, or what is wrong.
std::string link_runtime(llvm::Module& module, const llvm::TargetMachine& machine);

/// Whether the module's object may leave this symbol to the program that it is linked into: libc, and the
/// linker's own. An object with the emulator needs threads and pages of memory, too; one with code for GPUs
/// opens libraries.
bool is_allowed_external(const llvm::Module& module, const std::string& name);

}  // namespace codegen
