#pragma once

#include <llvm/Support/Error.h>

#include <string>

#include "codegen/interface/interface.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace codegen::object {

/// Sets the module's target, and gives every definition internal linkage except the interface's C entries.
void prepare_module(llvm::Module& module, const interface::Interface& interface,
                    const llvm::TargetMachine& machine);

/// Links a module's object with the parts of the runtime that it uses. The result defines for others what the
/// object defined for them, and the weak symbols named `tel.…`, which all networks of a program share.
/// Returns an error if the object uses a symbol that neither the runtime nor libc's functions on memory
/// define.
llvm::Expected<std::string> link_runtime(llvm::StringRef object);

}  // namespace codegen::object
