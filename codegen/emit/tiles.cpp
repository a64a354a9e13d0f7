#include "codegen/emit/emitter.h"
#include "codegen/math/operations.h"
#include "dlvm/diagnostics/internal_error.h"

namespace codegen::emit {

void Emitter::emit(const schedule::Fill& fill) {
  const Memory& memory = memory_.at(fill.to.buffer);
  const ElementType type = buffer(fill.to.buffer).element;
  const auto count = dlvm::unit_count(fill.to.sizes).constant();
  if (!count || *count > 4096) dlvm::internal_error("a fill of a tile without a constant size");
  const EmittedIndex at = index(offset({fill.to.buffer, fill.to.origin}, buffer(fill.to.buffer).layout));
  const llvm::Align align(dlvm::info(type).bytes);
  llvm::Value* pointer = address(memory, type, at.base);
  if (memory.each_lane) {
    llvm::Value* value = math::to_memory(math::literal(*vectors_, fill.value), type);
    for (std::int64_t i = 0; i < *count; ++i)
      b_.CreateAlignedStore(
          value, b_.CreateConstInBoundsGEP1_64(value->getType(), pointer, static_cast<std::uint64_t>(i)),
          align);
    return;
  }
  math::Lanes lanes(b_, static_cast<unsigned>(*count), features_);
  b_.CreateAlignedStore(math::to_memory(math::literal(lanes, fill.value), type), pointer, align);
}

void Emitter::emit(const schedule::Reduce& reduce) {
  const auto size = dlvm::unit_count(reduce.from.front().sizes).constant();
  if (!size || lane_) dlvm::internal_error("a reduction of lanes that is not of constant size");
  auto count = static_cast<unsigned>(*size);
  std::vector<llvm::Value*> all;
  for (const auto& from : reduce.from) {
    const ElementType type = buffer(from.buffer).element;
    math::Lanes lanes(b_, count, features_);
    llvm::Type* vector = lanes.type(math::memory_type(b_.getContext(), type));
    const EmittedIndex at = index(offset({from.buffer, from.origin}, buffer(from.buffer).layout));
    llvm::Value* loaded = b_.CreateAlignedLoad(vector, address(memory_.at(from.buffer), type, at.base),
                                               llvm::Align(dlvm::info(type).bytes));
    all.push_back(math::from_memory(lanes, loaded, type).value);
  }
  for (unsigned half = count / 2; half >= 1; half /= 2) {
    math::Lanes lanes(b_, half, features_);
    std::vector<Held> left, right;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto part = [&](unsigned first) -> Held {
        if (half == 1)
          return {lanes.number(b_.CreateExtractElement(all[i], first)), reduce.reduction.types[i]};
        std::vector<int> mask;
        for (unsigned lane = 0; lane < half; ++lane) mask.push_back(static_cast<int>(first + lane));
        return {lanes.number(b_.CreateShuffleVector(all[i], mask)), reduce.reduction.types[i]};
      };
      left.push_back(part(0));
      right.push_back(part(half));
    }
    const auto results = combine(reduce.reduction, left, right, lanes);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = results[i].number.value;
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    store_where(reduce.to[i], {scalars_.number(all[i]), reduce.reduction.types[i]}, nullptr);
}

void Emitter::emit(const schedule::Copy&) {
  dlvm::internal_error("a copy of tiles in a schedule for one core");
}
void Emitter::emit(const schedule::Wait&) {}
void Emitter::emit(const schedule::Convert&) {
  dlvm::internal_error("a conversion of tiles in a schedule for one core");
}
void Emitter::emit(const schedule::MultiplyAccumulate&) {
  dlvm::internal_error("a product of tiles without a place");
}

}  // namespace codegen::emit
