#include <llvm/IR/Module.h>

#include <vector>

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

SimdValue call_function(const std::string& name, std::span<const SimdValue> operands,
                        llvm::function_ref<SimdValue(std::span<const SimdValue>)> write) {
  SimdBuilder& l = *operands[0].builder;
  const std::string full = "tel." + name + "x" + std::to_string(l.width);
  llvm::Module& module = *l.b.GetInsertBlock()->getModule();
  llvm::Function* function = module.getFunction(full);
  std::vector<llvm::Value*> values;
  for (const SimdValue& operand : operands) values.push_back(operand.value);
  if (function == nullptr) {
    std::vector<llvm::Type*> parameters;
    for (const llvm::Value* value : values) parameters.push_back(value->getType());
    function = llvm::Function::Create(llvm::FunctionType::get(parameters[0], parameters, false),
                                      llvm::GlobalValue::InternalLinkage, full, module);
    function->setDoesNotThrow();
    function->setDoesNotAccessMemory();
    llvm::IRBuilder<> body(llvm::BasicBlock::Create(module.getContext(), "entry", function));
    SimdBuilder lanes(body, l.width, l.features);
    std::vector<SimdValue> arguments;
    for (auto& argument : function->args()) arguments.push_back(lanes.number(&argument));
    body.CreateRet(write(arguments).value);
  }
  return l.number(l.b.CreateCall(function, values));
}

}  // namespace codegen::math
