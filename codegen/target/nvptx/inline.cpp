#include "codegen/target/nvptx/inline.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <map>
#include <vector>

namespace codegen::target::nvptx {
namespace {

/// Instructions that all copies of one function may add to a kernel.
constexpr std::size_t max_added = 512;

using Calls = std::map<llvm::Function*, std::vector<llvm::CallInst*>>;

bool may_be_inlined(const llvm::Function* callee) {
  return callee != nullptr && !callee->isDeclaration() && callee->hasLocalLinkage() &&
         !callee->hasFnAttribute(llvm::Attribute::NoInline);
}

Calls calls_of(llvm::Function& function) {
  Calls calls;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
      if (may_be_inlined(call->getCalledFunction())) calls[call->getCalledFunction()].push_back(call);
  return calls;
}

}  // namespace

void inline_short_calls(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || function.hasLocalLinkage()) continue;
    for (const auto& [callee, sites] : calls_of(function)) {
      if (sites.size() * callee->getInstructionCount() > max_added) continue;
      for (llvm::CallInst* site : sites) {
        llvm::InlineFunctionInfo info;
        (void)llvm::InlineFunction(*site, info);
      }
    }
  }
}

}  // namespace codegen::target::nvptx
