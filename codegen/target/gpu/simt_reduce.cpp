// Reductions over the threads of a block.
#include "codegen/intrinsics/operations.h"
#include "codegen/target/gpu/simt.h"
#include "dlvm/support/internal_error.h"

namespace codegen::target::gpu {

using emit::EmittedValue;
using emit::Emitter;
using intrinsics::Operation;

namespace {

/// Returns the value of the lane whose number differs in the bits of `mask`.
EmittedValue shuffled(Emitter& e, const EmittedValue& held, unsigned mask) {
  llvm::IRBuilder<>& b = e.builder();
  llvm::Value* value = held.number.value;
  llvm::Type* type = value->getType();
  const unsigned bits = type->getScalarSizeInBits();
  llvm::Type* integer = b.getIntNTy(bits);
  if (type->isFloatingPointTy()) value = b.CreateBitCast(value, integer);
  const auto exchange = [&](llvm::Value* word) -> llvm::Value* {
    return intrinsics::call(b, Operation::shuffle_xor, {word, b.getInt32(mask)});
  };
  llvm::Value* other = nullptr;
  if (bits == 64) {
    llvm::Value* low = exchange(b.CreateTrunc(value, b.getInt32Ty()));
    llvm::Value* high = exchange(b.CreateTrunc(b.CreateLShr(value, 32), b.getInt32Ty()));
    other = b.CreateOr(b.CreateZExt(low, integer), b.CreateShl(b.CreateZExt(high, integer), 32));
  } else {
    other = b.CreateTrunc(exchange(b.CreateZExt(value, b.getInt32Ty())), integer);
  }
  if (type->isFloatingPointTy()) other = b.CreateBitCast(other, type);
  return {e.scalars().number(other), held.type};
}

}  // namespace

/// Every warp reads the whole of a tile in memory: each lane reads every element that lies a multiple of the
/// warp's threads behind its own, and combines the upper half of them with the lower. The lanes' states are
/// combined in the same way, so every thread has the result.
void SimtModel::emit_reduce(Emitter& e, const schedule::Reduce& reduce) {
  llvm::IRBuilder<>& b = e.builder();
  const unsigned warp = threads_.warp;
  const std::size_t n = reduce.from.size();
  const bool in_memory = e.buffer(reduce.from[0].buffer).space != schedule::Space::registers;
  const auto size = dlvm::unit_count(reduce.from[0].sizes).constant().value_or(0);
  if (in_memory && size % warp != 0) dlvm::internal_error("a reduction over threads of less than a warp");
  llvm::Value* lane = b.CreateAnd(intrinsics::call(b, Operation::thread, {}), warp - 1);
  llvm::Value* place = b.CreateZExt(lane, b.getInt64Ty(), "", true);
  std::vector<std::vector<EmittedValue>> parts;
  for (std::int64_t first = 0; first < (in_memory ? size : 1); first += warp) {
    parts.emplace_back();
    for (std::size_t i = 0; i < n; ++i) {
      const schedule::Buffer& from = e.buffer(reduce.from[i].buffer);
      llvm::Value* at = e.index(offset({reduce.from[i].buffer, reduce.from[i].origin}, from.layout)).base;
      if (in_memory) at = b.CreateAdd(at, b.CreateAdd(place, e.i64(first)));
      at = e.swizzled(at, from.layout);
      parts.back().push_back(e.load_scalar(e.address(e.memory(reduce.from[i].buffer), from.element, at),
                                           from.element, nullptr, {}));
    }
  }
  for (std::size_t half = parts.size() / 2; half >= 1; half /= 2)
    for (std::size_t i = 0; i < half; ++i)
      parts[i] = e.combine(reduce.reduction, parts[i], parts[i + half], e.scalars());
  std::vector<EmittedValue> state = parts[0];
  for (unsigned half = warp / 2; half >= 1; half /= 2) {
    std::vector<EmittedValue> other, lower, upper;
    for (const EmittedValue& held : state) other.push_back(shuffled(e, held, half));
    llvm::Value* is_upper = b.CreateICmpNE(b.CreateAnd(lane, half), b.getInt32(0));
    for (std::size_t i = 0; i < n; ++i) {
      const auto choose = [&](const EmittedValue& here, const EmittedValue& there) {
        llvm::Value* chosen = b.CreateSelect(is_upper, here.number.value, there.number.value);
        return EmittedValue{e.scalars().number(chosen), here.type};
      };
      lower.push_back(choose(other[i], state[i]));
      upper.push_back(choose(state[i], other[i]));
    }
    state = e.combine(reduce.reduction, lower, upper, e.scalars());
  }
  for (std::size_t i = 0; i < n; ++i) e.store_where(reduce.to[i], state[i], nullptr);
}

}  // namespace codegen::target::gpu
