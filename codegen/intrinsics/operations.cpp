#include "codegen/intrinsics/operations.h"

#include <array>
#include <cstring>

#include "dlvm/support/internal_error.h"

namespace codegen::intrinsics {
namespace {

constexpr std::array<Definition, operation_count> table{{
#define OPERATION(name, scope, results, operands) {Operation::name, #name, Scope::scope, results, operands},
#include "codegen/intrinsics/operations.def"
#undef OPERATION
}};

constexpr llvm::StringLiteral prefix = "tel.device.";

llvm::Type* type_of(llvm::LLVMContext& context, char letter) {
  switch (letter) {
    case 'i':
      return llvm::Type::getInt32Ty(context);
    case 'f':
      return llvm::Type::getFloatTy(context);
    case 'b':
      return llvm::Type::getInt1Ty(context);
    case 'p':
      return llvm::PointerType::get(context, 0);
    default:
      dlvm::internal_error("a row of operations.def has an unknown type");
  }
}

llvm::FunctionType* type_of(llvm::LLVMContext& context, const Definition& definition) {
  std::vector<llvm::Type*> results, operands;
  for (const char* letter = definition.results; *letter != 0; ++letter)
    results.push_back(type_of(context, *letter));
  for (const char* letter = definition.operands; *letter != 0; ++letter)
    operands.push_back(type_of(context, *letter));
  llvm::Type* result = results.empty()       ? llvm::Type::getVoidTy(context)
                       : results.size() == 1 ? results[0]
                                             : llvm::StructType::get(context, results);
  return llvm::FunctionType::get(result, operands, false);
}

/// Whether the operation reads or writes memory, or only its operands and the thread's place.
bool touches_memory(const Definition& definition) {
  return definition.results[0] == 0 || std::strncmp(definition.name, "load_matrix", 11) == 0;
}

llvm::Function* function_of(llvm::Module& module, const Definition& definition) {
  const std::string name = (prefix + definition.name).str();
  if (llvm::Function* known = module.getFunction(name)) return known;
  auto* function = llvm::Function::Create(type_of(module.getContext(), definition),
                                          llvm::GlobalValue::ExternalLinkage, name, module);
  function->setDoesNotThrow();
  if (definition.scope != Scope::thread) function->setConvergent();
  if (!touches_memory(definition)) function->setDoesNotAccessMemory();
  return function;
}

}  // namespace

std::span<const Definition> definitions() { return table; }

llvm::CallInst* call(llvm::IRBuilder<>& builder, Operation operation, llvm::ArrayRef<llvm::Value*> operands) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  llvm::Function* function = function_of(module, definition(operation));
  llvm::CallInst* made = builder.CreateCall(function, operands);
  if (function->isConvergent()) made->setConvergent();
  return made;
}

const Definition* operation_of(const llvm::Function& function) {
  if (!function.getName().starts_with(prefix)) return nullptr;
  for (const Definition& definition : table)
    if (function.getName().drop_front(prefix.size()) == definition.name) return &definition;
  return nullptr;
}

}  // namespace codegen::intrinsics
