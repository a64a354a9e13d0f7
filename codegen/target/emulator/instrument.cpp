#include "codegen/target/emulator/instrument.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/ModRef.h>

#include "dlvm/support/internal_error.h"

namespace codegen::target::emulator {
namespace {

using runtime::AccessKind;
using Builder = llvm::IRBuilder<>;

/// One function's instructions, each with the calls before it.
class Instrumenter {
 public:
  Instrumenter(llvm::Function& function, Sites& sites)
      : function_(function),
        module_(*function.getParent()),
        layout_(module_.getDataLayout()),
        sites_(sites) {}

  void run() {
    std::vector<llvm::Instruction*> all;
    for (llvm::Instruction& instruction : llvm::instructions(function_)) all.push_back(&instruction);
    for (llvm::Instruction* instruction : all) visit(*instruction);
  }

 private:
  void visit(llvm::Instruction& i) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&i))
      return simple(i, load->getPointerOperand(), load->getType(), load->getAlign(),
                    load->isAtomic() ? runtime::access_atomic : runtime::access_read);
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&i))
      return simple(i, store->getPointerOperand(), store->getValueOperand()->getType(), store->getAlign(),
                    store->isAtomic() ? runtime::access_atomic : runtime::access_write);
    if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&i))
      return simple(i, exchange->getPointerOperand(), exchange->getNewValOperand()->getType(),
                    exchange->getAlign(), runtime::access_atomic);
    if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&i))
      return simple(i, update->getPointerOperand(), update->getValOperand()->getType(), update->getAlign(),
                    runtime::access_atomic);
    if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&i)) visit_intrinsic(*intrinsic);
  }

  void visit_intrinsic(llvm::IntrinsicInst& i) {
    if (auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&i)) return visit_memory(*memory);
    switch (i.getIntrinsicID()) {
      case llvm::Intrinsic::masked_load:
        return masked(i, i.getArgOperand(0), i.getArgOperand(1), i.getType(), align_of(i, 0),
                      runtime::access_read);
      case llvm::Intrinsic::masked_gather:
        return scattered(i, i.getArgOperand(0), i.getArgOperand(1), i.getType(), align_of(i, 0),
                         runtime::access_read);
      case llvm::Intrinsic::masked_store:
        return masked(i, i.getArgOperand(1), i.getArgOperand(2), i.getArgOperand(0)->getType(),
                      align_of(i, 1), runtime::access_write);
      case llvm::Intrinsic::masked_scatter:
        return scattered(i, i.getArgOperand(1), i.getArgOperand(2), i.getArgOperand(0)->getType(),
                         align_of(i, 1), runtime::access_write);
      default:
        break;
    }
    const bool touches = i.mayReadOrWriteMemory() && !i.isLifetimeStartOrEnd() &&
                         !i.isAssumeLikeIntrinsic() && i.getIntrinsicID() != llvm::Intrinsic::prefetch &&
                         !i.getMemoryEffects().onlyAccessesInaccessibleMem();
    if (touches)
      dlvm::internal_error("the emulator cannot announce what '" + i.getCalledFunction()->getName().str() +
                           "' touches");
  }

  void visit_memory(llvm::MemIntrinsic& i) {
    bytes(i, i.getRawDest(), i.getLength(), i.getDestAlign().valueOrOne(), runtime::access_write);
    if (auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&i))
      bytes(i, transfer->getRawSource(), i.getLength(), transfer->getSourceAlign().valueOrOne(),
            runtime::access_read);
  }

  static llvm::Align align_of(const llvm::IntrinsicInst& i, unsigned argument) {
    return i.getParamAlign(argument).valueOrOne();
  }
  std::uint64_t size_of(llvm::Type* type) const { return layout_.getTypeStoreSize(type).getFixedValue(); }

  /// The memory that every execution of `i` touches.
  void simple(llvm::Instruction& i, llvm::Value* address, llvm::Type* type, llvm::Align alignment,
              AccessKind kind) {
    const std::uint64_t size = size_of(type);
    if (size == 0) return;
    const Place place = place_of(address, size);
    if (place.kind == Place::Kind::inside) return;
    Builder b(&i);
    llvm::Constant* site = sites_.add(i, kind, size, alignment);
    if (place.kind == Place::Kind::unknown) {
      b.CreateCall(runtime("tel_emulator_access", {b.getPtrTy(), b.getPtrTy()}), {generic(b, address), site});
    } else {
      b.CreateCall(
          runtime("tel_emulator_access_local", {b.getPtrTy(), b.getPtrTy(), b.getInt64Ty(), b.getPtrTy()}),
          {generic(b, address), generic(b, place.object), b.getInt64(place.size), site});
    }
  }

  void bytes(llvm::Instruction& i, llvm::Value* address, llvm::Value* count, llvm::Align alignment,
             AccessKind kind) {
    if (is_local(address)) return;
    Builder b(&i);
    llvm::Constant* site = sites_.add(i, kind, 0, alignment);
    b.CreateCall(runtime("tel_emulator_access_bytes", {b.getPtrTy(), b.getInt64Ty(), b.getPtrTy()}),
                 {generic(b, address), b.CreateZExtOrTrunc(count, b.getInt64Ty()), site});
  }

  /// The elements of a vector in memory where the mask holds.
  void masked(llvm::Instruction& i, llvm::Value* address, llvm::Value* mask, llvm::Type* type,
              llvm::Align alignment, AccessKind kind) {
    Builder b(&i);
    llvm::Type* element = type->getScalarType();
    elements(b, i, mask, type, llvm::commonAlignment(alignment, size_of(element)), kind,
             [&](unsigned n) { return b.CreateConstGEP1_64(element, address, n); });
  }

  /// The elements at the addresses of a vector.
  void scattered(llvm::Instruction& i, llvm::Value* addresses, llvm::Value* mask, llvm::Type* type,
                 llvm::Align alignment, AccessKind kind) {
    Builder b(&i);
    elements(b, i, mask, type, alignment, kind,
             [&](unsigned n) { return b.CreateExtractElement(addresses, b.getInt64(n)); });
  }

  /// All elements are one site: a device makes an instruction for each, but which one is in no doubt.
  template <typename Address>
  void elements(Builder& b, llvm::Instruction& i, llvm::Value* mask, llvm::Type* type, llvm::Align alignment,
                AccessKind kind, Address address) {
    const unsigned count = llvm::cast<llvm::FixedVectorType>(type)->getNumElements();
    for (unsigned n = 0; n < count; ++n) {
      llvm::Value* at = address(n);
      if (is_local(at)) continue;
      llvm::Constant* site = sites_.add(i, kind, size_of(type->getScalarType()), alignment);
      auto callee = runtime("tel_emulator_access_if", {b.getInt1Ty(), b.getPtrTy(), b.getPtrTy()});
      llvm::cast<llvm::Function>(callee.getCallee())->addParamAttr(0, llvm::Attribute::ZExt);
      auto* call = b.CreateCall(callee, {b.CreateExtractElement(mask, b.getInt64(n)), generic(b, at), site});
      call->addParamAttr(0, llvm::Attribute::ZExt);
    }
  }

  /// Where an address lies.
  struct Place {
    enum class Kind {
      unknown,  ///< in memory that other threads may see
      inside,   ///< in a variable or a constant table, surely
      local     ///< in one of `size` bytes, if its index is right
    };
    Kind kind;
    llvm::Value* object = nullptr;
    std::uint64_t size = 0;
  };

  static bool is_private(const llvm::Value* object) {
    const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(object);
    return llvm::isa<llvm::AllocaInst>(object) || (global && global->isConstant());
  }
  static bool is_local(const llvm::Value* address) {
    llvm::SmallVector<const llvm::Value*> objects;
    llvm::getUnderlyingObjects(address, objects, nullptr, 0);
    return llvm::all_of(objects, is_private);
  }

  std::optional<std::uint64_t> object_size(llvm::Value* object) const {
    if (auto* global = llvm::dyn_cast<llvm::GlobalVariable>(object)) return size_of(global->getValueType());
    if (const auto size = llvm::cast<llvm::AllocaInst>(object)->getAllocationSize(layout_))
      return size->getFixedValue();
    return std::nullopt;
  }

  Place place_of(llvm::Value* address, std::uint64_t bytes) const {
    if (!is_local(address)) return {Place::Kind::unknown};
    // Several objects: whichever it is, it is the function's own.
    auto* object = const_cast<llvm::Value*>(llvm::getUnderlyingObject(address, 0));
    if (!is_private(object)) return {Place::Kind::inside};
    const auto size = object_size(object);
    if (!size) return {Place::Kind::inside};
    llvm::APInt offset(layout_.getIndexTypeSizeInBits(address->getType()), 0);
    const bool constant =
        address->stripAndAccumulateConstantOffsets(layout_, offset, true)->stripPointerCasts() == object;
    if (constant && !offset.isNegative() && offset.getZExtValue() + bytes <= *size)
      return {Place::Kind::inside};
    return {Place::Kind::local, object, *size};
  }

  static llvm::Value* generic(Builder& b, llvm::Value* address) {
    return b.CreateAddrSpaceCast(address, b.getPtrTy());
  }

  /// Of the runtime: may not return, and touches none of the kernel's memory.
  llvm::FunctionCallee runtime(const char* name, llvm::ArrayRef<llvm::Type*> parameters) {
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(module_.getContext()), parameters, false);
    auto callee = module_.getOrInsertFunction(name, type);
    auto* function = llvm::cast<llvm::Function>(callee.getCallee());
    function->setDoesNotThrow();
    function->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
    return callee;
  }

  llvm::Function& function_;
  llvm::Module& module_;
  const llvm::DataLayout& layout_;
  Sites& sites_;
};

}  // namespace

void instrument(llvm::Function& function, Sites& sites) { Instrumenter(function, sites).run(); }

}  // namespace codegen::target::emulator
