#pragma once

#include <llvm/ADT/StringRef.h>

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace codegen::object {

/// Runs LLVM passes over the module, for the machine. `pipeline` names them in the syntax of `opt -passes=`;
/// a name that LLVM does not know is a mistake in this compiler and ends the process.
void run_passes(llvm::Module& module, llvm::TargetMachine& machine, llvm::StringRef pipeline);

/// Optimises the compute functions in the module, at the machine's level. Mathematical functions are inlined
/// unless a module has more than 256 calls of one.
void optimise(llvm::Module& module, llvm::TargetMachine& machine);

}  // namespace codegen::object
