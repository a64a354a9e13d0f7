// LLVM's pass announces accesses of up to 16 bytes, and of its memory functions. Wider ones, and those under
// masks, it leaves out; they are announced here, as ranges of bytes.
#include "codegen/object/instrument_threads.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <vector>

#include "codegen/object/passes.h"

namespace codegen::object {
namespace {

using Builder = llvm::IRBuilder<>;

class WideAccesses {
 public:
  explicit WideAccesses(llvm::Function& function)
      : function_(function), module_(*function.getParent()), layout_(module_.getDataLayout()) {}

  void announce() {
    std::vector<llvm::Instruction*> all;
    for (llvm::Instruction& instruction : llvm::instructions(function_)) all.push_back(&instruction);
    for (llvm::Instruction* instruction : all) announce(*instruction);
  }

 private:
  void announce(llvm::Instruction& i) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&i))
      return whole(i, load->getPointerOperand(), size_of(i.getType()), false);
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&i))
      return whole(i, store->getPointerOperand(), size_of(store->getValueOperand()->getType()), true);
    auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
    if (intrinsic == nullptr) return;
    const auto argument = [&](unsigned n) { return intrinsic->getArgOperand(n); };
    switch (intrinsic->getIntrinsicID()) {
      case llvm::Intrinsic::masked_load:
      case llvm::Intrinsic::masked_gather:
        return lanes(i, argument(0), argument(1), i.getType(), false);
      case llvm::Intrinsic::masked_store:
      case llvm::Intrinsic::masked_scatter:
        return lanes(i, argument(1), argument(2), argument(0)->getType(), true);
      default:
        return;
    }
  }

  std::uint64_t size_of(llvm::Type* type) const { return layout_.getTypeStoreSize(type).getFixedValue(); }

  void whole(llvm::Instruction& i, llvm::Value* address, std::uint64_t size, bool writes) {
    if (size == 0 || (size <= 16 && llvm::isPowerOf2_64(size))) return;  // LLVM's pass announces these
    Builder b(&i);
    announce(b, address, size, writes);
  }

  /// The elements of a vector where the mask holds, from an address on, or each at an address of its own.
  void lanes(llvm::Instruction& i, llvm::Value* address, llvm::Value* mask, llvm::Type* type, bool writes) {
    Builder b(&i);
    llvm::Type* element = type->getScalarType();
    const unsigned count = llvm::cast<llvm::FixedVectorType>(type)->getNumElements();
    for (unsigned n = 0; n < count; ++n) {
      llvm::Value* at = address->getType()->isVectorTy() ? b.CreateExtractElement(address, n)
                                                         : b.CreateConstGEP1_64(element, address, n);
      llvm::Value* holds = b.CreateExtractElement(mask, n);
      const auto* known = llvm::dyn_cast<llvm::ConstantInt>(holds);
      if (known == nullptr) at = b.CreateSelect(holds, at, nothing());
      if (known == nullptr || known->isOne()) announce(b, at, size_of(element), writes);
    }
  }

  void announce(Builder& b, llvm::Value* address, std::uint64_t size, bool writes) {
    const auto callee = module_.getOrInsertFunction(writes ? "__tsan_write_range" : "__tsan_read_range",
                                                    b.getVoidTy(), b.getPtrTy(), b.getInt64Ty());
    b.CreateCall(callee, {address, b.getInt64(size)});
  }

  /// Memory of the function's own, for the lanes that touch none.
  llvm::Value* nothing() {
    if (nothing_ != nullptr) return nothing_;
    Builder b(&*function_.getEntryBlock().getFirstInsertionPt());
    return nothing_ = b.CreateAlloca(llvm::ArrayType::get(b.getInt8Ty(), 16), nullptr, "no_lane");
  }

  llvm::Function& function_;
  llvm::Module& module_;
  const llvm::DataLayout& layout_;
  llvm::Value* nothing_ = nullptr;
};

/// The sanitizer announces what libc's memory functions touch. GCC's has no other names for them.
void call_libc(llvm::Module& module) {
  for (const llvm::StringRef name : {"memcpy", "memmove", "memset"})
    if (llvm::Function* announced = module.getFunction(("__tsan_" + name).str())) {
      announced->replaceAllUsesWith(
          module.getOrInsertFunction(name, announced->getFunctionType()).getCallee());
      announced->eraseFromParent();
    }
}

}  // namespace

void instrument_threads(llvm::Module& module, llvm::TargetMachine& machine) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    WideAccesses(function).announce();
    function.addFnAttr(llvm::Attribute::SanitizeThread);
  }
  run_passes(module, machine, "tsan-module,function(tsan)");
  call_libc(module);
}

}  // namespace codegen::object
