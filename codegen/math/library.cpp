#include <llvm/IR/Module.h>

#include "codegen/math/functions.h"

namespace codegen::math {

llvm::Function* scalar_function(SimdBuilder& lanes, const std::string& name, llvm::Type* result,
                                std::initializer_list<llvm::Type*> parameters,
                                llvm::Value* (*write)(SimdBuilder& lanes, llvm::Function& function)) {
  llvm::Module& module = *lanes.b.GetInsertBlock()->getModule();
  if (llvm::Function* known = module.getFunction(name)) return known;
  auto* type = llvm::FunctionType::get(result, llvm::ArrayRef<llvm::Type*>(parameters), false);
  auto* function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, module);
  function->addFnAttr(llvm::Attribute::NoInline);
  function->setDoesNotThrow();
  function->setDoesNotAccessMemory();
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "entry", function));
  SimdBuilder scalars(builder, 1, lanes.features);
  builder.CreateRet(write(scalars, *function));
  return function;
}

}  // namespace codegen::math
