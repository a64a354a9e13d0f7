#include "codegen/intrinsics/operations.h"

#include <array>
#include <cstring>

namespace codegen::intrinsics {
namespace {

using O = Operation;

constexpr std::array<Definition, operation_count> table{{
    // operation                 name                        scope   results  operands
    {O::thread, "thread", Scope::thread, "i", ""},
    {O::block, "block", Scope::thread, "i", ""},
    {O::shared, "shared", Scope::thread, "p", ""},
    {O::barrier, "barrier", Scope::block, "", "ii"},
    {O::warp_barrier, "warp_barrier", Scope::warp, "", ""},
    {O::shuffle, "shuffle", Scope::warp, "i", "ii"},
    {O::shuffle_xor, "shuffle_xor", Scope::warp, "i", "ii"},
    {O::any, "any", Scope::warp, "b", "b"},
    {O::ballot, "ballot", Scope::warp, "i", "b"},
    {O::copy_async_4, "copy_async_4", Scope::thread, "", "ppi"},
    {O::copy_async_8, "copy_async_8", Scope::thread, "", "ppi"},
    {O::copy_async_16, "copy_async_16", Scope::thread, "", "ppi"},
    {O::copy_commit, "copy_commit", Scope::thread, "", ""},
    {O::copy_wait, "copy_wait", Scope::thread, "", "i"},
    {O::load_matrix, "load_matrix", Scope::warp, "i", "p"},
    {O::load_matrix_2, "load_matrix_2", Scope::warp, "ii", "p"},
    {O::load_matrix_4, "load_matrix_4", Scope::warp, "iiii", "p"},
    {O::load_matrix_transposed, "load_matrix_transposed", Scope::warp, "i", "p"},
    {O::load_matrix_transposed_2, "load_matrix_transposed_2", Scope::warp, "ii", "p"},
    {O::load_matrix_transposed_4, "load_matrix_transposed_4", Scope::warp, "iiii", "p"},
    {O::multiply_f16, "multiply_f16", Scope::warp, "ffff", "iiiiiiffff"},
    {O::multiply_bf16, "multiply_bf16", Scope::warp, "ffff", "iiiiiiffff"},
    {O::multiply_tf32, "multiply_tf32", Scope::warp, "ffff", "iiiiiiffff"},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i].operation != static_cast<Operation>(i)) return false;
  return true;
}
static_assert(in_order());

constexpr llvm::StringLiteral prefix = "tel.device.";

llvm::Type* type_of(llvm::LLVMContext& context, char letter) {
  switch (letter) {
    case 'i':
      return llvm::Type::getInt32Ty(context);
    case 'f':
      return llvm::Type::getFloatTy(context);
    case 'b':
      return llvm::Type::getInt1Ty(context);
    default:
      return llvm::PointerType::get(context, 0);
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
