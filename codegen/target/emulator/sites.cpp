#include "codegen/target/emulator/sites.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>

namespace codegen::target::emulator {

Sites::Sites(llvm::Module& module)
    : module_(module),
      write_(module),
      place_(new llvm::GlobalVariable(module, llvm::Type::getInt8Ty(module.getContext()), true,
                                      llvm::GlobalValue::ExternalLinkage, nullptr, "sites.place")) {}

llvm::Constant* Sites::add(const llvm::Instruction& instruction, runtime::AccessKind kind,
                           std::uint64_t bytes, llvm::Align alignment) {
  const llvm::DebugLoc& location = instruction.getDebugLoc();
  const bool known = location && location.getLine() != 0;
  const auto file = known ? write_.text(location->getFilename().str()) : write_.null<const char*>();
  const std::uint64_t offset = entries_.size() * sizeof(runtime::Site);
  entries_.push_back(
      write_.structure<runtime::Site>({file, write_.i32(known ? location.getLine() : 0), write_.i32(kind),
                                       write_.i32(static_cast<std::int64_t>(bytes)),
                                       write_.i32(static_cast<std::int64_t>(alignment.value()))}));
  llvm::LLVMContext& context = module_.getContext();
  llvm::Constant* distance = llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), offset);
  return llvm::ConstantExpr::getGetElementPtr(llvm::Type::getInt8Ty(context), place_,
                                              llvm::ArrayRef<llvm::Constant*>{distance});
}

void Sites::finish() {
  if (!entries_.empty()) place_->replaceAllUsesWith(write_.array(entries_).value);
  place_->eraseFromParent();
}

}  // namespace codegen::target::emulator
