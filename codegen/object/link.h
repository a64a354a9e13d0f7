#pragma once

#include <llvm/Support/Error.h>

#include <string>

#include "codegen/interface/interface.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace codegen {

/// Sets the module's target, and gives every definition internal linkage except the interface's C entries.
void prepare_module(llvm::Module& module, const Interface& interface, const llvm::TargetMachine& machine);

/// Links a module's object with what it uses of the runtime. The result defines for others what the object
/// defined for them, and the weak symbols named `tel.…`, which all networks of a program share. It is an
/// error where the object uses anything else than the runtime and libc's functions on memory.
llvm::Expected<std::string> link_runtime(llvm::StringRef object);

}  // namespace codegen
