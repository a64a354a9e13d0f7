#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Passes/PassBuilder.h>

namespace codegen {

/// Runs over the module what `make` makes of LLVM's passes for the machine.
void run_passes(llvm::Module& module, llvm::TargetMachine& machine,
                llvm::function_ref<llvm::ModulePassManager(llvm::PassBuilder&)> make);

}  // namespace codegen
