#include "codegen/object/extent_emitter.h"

#include <llvm/IR/Module.h>

#include <algorithm>

namespace codegen::object {
namespace {

bool has_division(const dlvm::Extent& extent) {
  return std::ranges::any_of(extent.terms(), [](const dlvm::Extent::Term& term) {
    return std::ranges::any_of(term.atoms, [](const auto& atom) { return atom.floor != nullptr; });
  });
}

}  // namespace

bool ExtentEmitter::can_emit(const std::vector<dlvm::Extent>& extents) {
  return std::ranges::none_of(extents, has_division);
}

llvm::Value* ExtentEmitter::combine(llvm::Intrinsic::ID operation, llvm::Value* a, llvm::Value* b) {
  llvm::Value* both = b_.CreateBinaryIntrinsic(operation, a, b);
  overflowed_ = b_.CreateOr(overflowed_, b_.CreateExtractValue(both, 1));
  return b_.CreateExtractValue(both, 0);
}

llvm::Value* ExtentEmitter::sum(llvm::Value* a, llvm::Value* b) {
  return combine(llvm::Intrinsic::sadd_with_overflow, a, b);
}
llvm::Value* ExtentEmitter::difference(llvm::Value* a, llvm::Value* b) {
  return combine(llvm::Intrinsic::ssub_with_overflow, a, b);
}
llvm::Value* ExtentEmitter::product(llvm::Value* a, llvm::Value* b) {
  return combine(llvm::Intrinsic::smul_with_overflow, a, b);
}

llvm::Value* ExtentEmitter::value(const dlvm::Extent& extent) {
  llvm::Value* all = b_.getInt64(0);
  for (const dlvm::Extent::Term& term : extent.terms()) {
    llvm::Value* one = b_.getInt64(static_cast<std::uint64_t>(term.coefficient));
    for (const dlvm::Extent::Atom& atom : term.atoms) one = product(one, dimensions_.at(atom.name));
    all = sum(all, one);
  }
  return all;
}

}  // namespace codegen::object
