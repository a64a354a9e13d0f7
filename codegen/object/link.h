#pragma once

#include <string>

#include "codegen/interface.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace codegen {

/// Sets the module's target, links the runtime into it and makes all but the interface's C entries internal.
/// Empty, or what is wrong.
std::string link_runtime(llvm::Module& module, const Interface& interface,
                         const llvm::TargetMachine& machine);

/// After optimisation: removes the library calls of the runtime (`runtime/support/libcalls.cpp`) that the
/// code generator will not ask for.
void drop_unused_library_calls(llvm::Module& module, const llvm::TargetMachine& machine);

/// Whether an object may leave this symbol to the program that it is linked into: libc, and the linker's own.
bool is_allowed_external(const std::string& name);

}  // namespace codegen
