#include "codegen/target/cpu/masked_accesses.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <map>
#include <vector>

namespace codegen::target::cpu {
namespace {

bool is_masked_access(const llvm::CallInst& call) {
  return call.getIntrinsicID() == llvm::Intrinsic::masked_load ||
         call.getIntrinsicID() == llvm::Intrinsic::masked_store;
}

/// Returns the alignment in bytes.
std::uint64_t alignment_of(const llvm::CallInst& access) {
  const unsigned pointer = access.getIntrinsicID() == llvm::Intrinsic::masked_load ? 0 : 1;
  return access.getParamAlign(pointer).valueOrOne().value();
}

/// Returns a function that makes the access with its arguments.
llvm::Function* make_function(llvm::Module& module, const llvm::CallInst& access) {
  llvm::Function* intrinsic = access.getCalledFunction();
  auto* function =
      llvm::Function::Create(intrinsic->getFunctionType(), llvm::GlobalValue::InternalLinkage,
                             "tel." + intrinsic->getName().drop_front(sizeof "llvm." - 1), module);
  function->addFnAttr(llvm::Attribute::NoInline);
  function->setDoesNotThrow();
  function->setOnlyAccessesArgMemory();
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "entry", function));
  std::vector<llvm::Value*> arguments;
  for (llvm::Argument& argument : function->args()) arguments.push_back(&argument);
  llvm::CallInst* call = builder.CreateCall(intrinsic, arguments);
  call->setAttributes(access.getAttributes());
  if (call->getType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(call);
  return function;
}

}  // namespace

void share_masked_accesses(llvm::Module& module) {
  std::vector<llvm::CallInst*> accesses;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call != nullptr && is_masked_access(*call))
        accesses.push_back(call);
  std::map<std::pair<llvm::Function*, std::uint64_t>, llvm::Function*> functions;
  for (llvm::CallInst* access : accesses) {
    llvm::Function*& function = functions[{access->getCalledFunction(), alignment_of(*access)}];
    if (function == nullptr) function = make_function(module, *access);
    access->setCalledFunction(function);
    access->setAttributes({});
  }
}

}  // namespace codegen::target::cpu
