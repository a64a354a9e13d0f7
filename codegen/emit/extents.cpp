#include <algorithm>

#include "codegen/emit/emitter.h"
#include "dlvm/support/internal_error.h"

namespace codegen::emit {

llvm::Value* Extents::value(const Extent& extent) {
  if (const auto constant = extent.constant()) return b_.getInt64(static_cast<std::uint64_t>(*constant));
  const auto known = known_.find(extent);
  if (known != known_.end()) return known->second;
  return known_[extent] = compute(extent);
}

llvm::Value* Extents::compute(const Extent& extent) {
  llvm::Value* sum = nullptr;
  for (const auto& term : extent.terms()) {
    llvm::Value* product = b_.getInt64(static_cast<std::uint64_t>(term.coefficient));
    for (const auto& factor : term.atoms) product = b_.CreateMul(product, atom(factor), "", false, true);
    sum = sum ? b_.CreateAdd(sum, product, "", false, true) : product;
  }
  return sum ? sum : b_.getInt64(0);
}

llvm::Value* Extents::atom(const Extent::Atom& atom) {
  if (!atom.floor) {
    const auto found = std::find(names_.begin(), names_.end(), atom.name);
    if (found == names_.end())
      dlvm::internal_error("a kernel uses a dimension that its program does not have");
    const auto position = static_cast<std::uint64_t>(found - names_.begin());
    const Extent dimension = Extent::dimension(atom.name);
    const auto known = known_.find(dimension);
    if (known != known_.end()) return known->second;
    llvm::Value* pointer = b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), dimensions_, position);
    return known_[dimension] = b_.CreateLoad(b_.getInt64Ty(), pointer, atom.name);
  }
  // floor(a / b), and 0 where b is 0.
  llvm::Value *a = value(atom.floor->numerator), *divisor = value(atom.floor->denominator);
  llvm::Value *zero = b_.getInt64(0), *by_zero = b_.CreateICmpEQ(divisor, zero);
  llvm::Value* safe = b_.CreateSelect(by_zero, b_.getInt64(1), divisor);
  llvm::Value *quotient = b_.CreateSDiv(a, safe), *rest = b_.CreateSub(a, b_.CreateMul(quotient, safe));
  llvm::Value* below =
      b_.CreateAnd(b_.CreateICmpNE(rest, zero), b_.CreateICmpSLT(b_.CreateXor(rest, safe), zero));
  llvm::Value* floored = b_.CreateSub(quotient, b_.CreateZExt(below, b_.getInt64Ty()));
  return b_.CreateSelect(by_zero, zero, floored);
}

}  // namespace codegen::emit
