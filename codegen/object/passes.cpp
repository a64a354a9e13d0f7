#include "codegen/object/passes.h"

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>

namespace codegen::object {
namespace {

/// In kernels, vectors, unrolling and the order of memory accesses are decided already. These passes fold,
/// inline the mathematical functions after tidying them, and keep values out of loops.
constexpr llvm::StringLiteral short_pipeline =
    "function(sroa<modify-cfg>,early-cse<memssa>,instcombine<no-verify-fixpoint>),"
    "cgscc(inline),"
    "function(loop-mssa(licm),early-cse<memssa>,dse,simplifycfg),"
    "globaldce,constmerge,mergefunc";

/// Keeps calls of mathematical functions where there are very many: their code once for each call would take
/// LLVM long, and be large.
void keep_many_calls(llvm::Module& module) {
  constexpr unsigned most_copies = 256;
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && function.hasLocalLinkage() && function.doesNotAccessMemory() &&
        !function.hasFnAttribute(llvm::Attribute::AlwaysInline) && function.hasNUsesOrMore(most_copies + 1))
      function.addFnAttr(llvm::Attribute::NoInline);
}

llvm::StringRef pipeline_of(llvm::CodeGenOptLevel level) {
  if (level == llvm::CodeGenOptLevel::None) return "default<O0>";
  return level == llvm::CodeGenOptLevel::Aggressive ? "default<O3>" : short_pipeline;
}

}  // namespace

void run_passes(llvm::Module& module, llvm::TargetMachine& machine, llvm::StringRef pipeline) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  llvm::cantFail(builder.parsePassPipeline(passes, pipeline));
  passes.run(module, modules);
}

void optimise(llvm::Module& module, llvm::TargetMachine& machine) {
  keep_many_calls(module);
  run_passes(module, machine, pipeline_of(machine.getOptLevel()));
}

}  // namespace codegen::object
