#include "codegen/target/emulator/sites.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>

namespace codegen::target::emulator {

Sites::Sites(llvm::Module& module) : module_(module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type *pointer = llvm::PointerType::get(context, 0), *word = llvm::Type::getInt32Ty(context);
  type_ = llvm::StructType::get(context, {pointer, word, word, word, word});
  place_ = new llvm::GlobalVariable(module, type_, true, llvm::GlobalValue::ExternalLinkage, nullptr,
                                    "sites.place");
}

llvm::Constant* Sites::text(const std::string& file) {
  llvm::Constant*& known = texts_[file];
  if (known) return known;
  auto* data = llvm::ConstantDataArray::getString(module_.getContext(), file);
  auto* global = new llvm::GlobalVariable(module_, data->getType(), true, llvm::GlobalValue::InternalLinkage,
                                          data, "sites.file");
  global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  return known = global;
}

llvm::Constant* Sites::add(const llvm::Instruction& instruction, runtime::AccessKind kind,
                           std::uint64_t bytes, llvm::Align alignment) {
  llvm::LLVMContext& context = module_.getContext();
  const auto word = [&](std::uint64_t value) -> llvm::Constant* {
    return llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value);
  };
  const llvm::DebugLoc& location = instruction.getDebugLoc();
  const bool known = location && location.getLine() != 0;
  llvm::Constant* file = llvm::ConstantPointerNull::get(llvm::PointerType::get(context, 0));
  if (known) file = text(location->getFilename().str());
  entries_.push_back(llvm::ConstantStruct::get(
      type_, {file, word(known ? location.getLine() : 0), word(static_cast<std::uint64_t>(kind)), word(bytes),
              word(alignment.value())}));
  llvm::Constant* number = llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), entries_.size() - 1);
  return llvm::ConstantExpr::getGetElementPtr(type_, place_, llvm::ArrayRef<llvm::Constant*>{number});
}

void Sites::finish() {
  if (!entries_.empty()) {
    auto* type = llvm::ArrayType::get(type_, entries_.size());
    auto* table = new llvm::GlobalVariable(module_, type, true, llvm::GlobalValue::InternalLinkage,
                                           llvm::ConstantArray::get(type, entries_), "sites");
    table->setAlignment(llvm::Align(8));
    place_->replaceAllUsesWith(table);
  }
  place_->eraseFromParent();
}

}  // namespace codegen::target::emulator
