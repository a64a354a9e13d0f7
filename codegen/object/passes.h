#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Passes/PassBuilder.h>

namespace codegen {

/// Runs the pipeline that `make` builds over the module, with LLVM's analyses for the machine.
void run_passes(llvm::Module& module, llvm::TargetMachine& machine,
                llvm::function_ref<llvm::ModulePassManager(llvm::PassBuilder&)> make);

}  // namespace codegen
