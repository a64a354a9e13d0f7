#include "codegen/emit/sort.h"

#include "codegen/math/operations.h"

namespace codegen::emit {
namespace {

/// Returns the stride of the axis along which the tile runs; 0 if it is one element.
Extent row_stride(const schedule::Tile& tile, const schedule::Layout& layout) {
  const auto& strides = tile.strides.empty() ? layout.strides : tile.strides;
  for (std::size_t i = 0; i < tile.sizes.size(); ++i)
    if (!tile.sizes[i].is(1)) return strides[i];
  return 0;
}

}  // namespace

RowEmitter::RowEmitter(Emitter& emitter, const schedule::Sort& sort)
    : e_(emitter),
      descending_(sort.descending),
      count_(emitter.extents().value(dlvm::unit_count(sort.keys.sizes))),
      keys_(memory(sort.keys)),
      positions_(memory(sort.positions)) {
  if (sort.scratch.empty()) return;
  scratch_keys_ = memory(sort.scratch[0]);
  scratch_positions_ = memory(sort.scratch[1]);
}

RowEmitter::Memory RowEmitter::memory(const schedule::Tile& tile) {
  const schedule::Buffer& buffer = e_.buffer(tile.buffer);
  return {e_.start_of(tile), e_.extents().value(row_stride(tile, buffer.layout)), buffer.element};
}

llvm::Value* RowEmitter::load(const Memory& memory, llvm::Value* place) {
  llvm::IRBuilder<>& b = e_.builder();
  llvm::Type* type = math::memory_type(b.getContext(), memory.type);
  llvm::Value* pointer = b.CreateInBoundsGEP(type, memory.first, b.CreateMul(place, memory.stride));
  return b.CreateAlignedLoad(type, pointer, llvm::Align(dlvm::info(memory.type).bytes));
}

void RowEmitter::store(const Memory& memory, llvm::Value* place, llvm::Value* value) {
  llvm::IRBuilder<>& b = e_.builder();
  llvm::Type* type = math::memory_type(b.getContext(), memory.type);
  llvm::Value* pointer = b.CreateInBoundsGEP(type, memory.first, b.CreateMul(place, memory.stride));
  b.CreateAlignedStore(value, pointer, llvm::Align(dlvm::info(memory.type).bytes));
}

RowEmitter::Element RowEmitter::load(llvm::Value* place) {
  return {load(keys_, place), load(positions_, place)};
}
void RowEmitter::store(llvm::Value* place, const Element& element) {
  store(keys_, place, element.key);
  store(positions_, place, element.position);
}
void RowEmitter::store_position(llvm::Value* place, llvm::Value* position) {
  store(positions_, place, position);
}
RowEmitter::Element RowEmitter::load_scratch(llvm::Value* place) {
  return {load(scratch_keys_, place), load(scratch_positions_, place)};
}
void RowEmitter::store_scratch(llvm::Value* place, const Element& element) {
  store(scratch_keys_, place, element.key);
  store(scratch_positions_, place, element.position);
}

llvm::Value* RowEmitter::is_before(const Element& a, const Element& b) {
  const auto number = [&](const Element& element) {
    return math::from_memory(e_.scalars(), element.key, keys_.type);
  };
  const math::SimdValue lower = number(descending_ ? b : a), upper = number(descending_ ? a : b);
  llvm::IRBuilder<>& builder = e_.builder();
  if (dlvm::is_floating(keys_.type)) {
    llvm::Value* is_number = builder.CreateFCmpORD(lower.value, lower.value);
    return builder.CreateAnd(is_number, builder.CreateFCmpULT(lower.value, upper.value));
  }
  return dlvm::is_signed(keys_.type) ? builder.CreateICmpSLT(lower.value, upper.value)
                                     : builder.CreateICmpULT(lower.value, upper.value);
}

}  // namespace codegen::emit
