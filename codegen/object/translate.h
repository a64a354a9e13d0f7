#pragma once

#include <llvm/Support/CodeGen.h>

#include <optional>
#include <string>

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace codegen::object {

/// Runs LLVM's code generation, and returns the module's object or assembly; nothing if the target cannot
/// emit that kind of file.
std::optional<std::string> translate(llvm::Module& module, llvm::TargetMachine& machine,
                                     llvm::CodeGenFileType kind);

}  // namespace codegen::object
