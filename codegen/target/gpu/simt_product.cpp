// Products of tiles in the registers of single threads.
#include <algorithm>

#include "codegen/math/operations.h"
#include "codegen/target/gpu/matrix_product.h"
#include "codegen/target/gpu/simt.h"

namespace codegen::target::gpu {

using dlvm::ElementType;
using dlvm::Extent;
using emit::Emitter;

namespace {

/// Loads row k of a tile in shared memory, in accesses as wide as its alignment and layout allow.
std::vector<math::SimdValue> line(Emitter& e, const schedule::Tile& tile, llvm::Value* k) {
  llvm::IRBuilder<>& b = e.builder();
  const schedule::Buffer& from = e.buffer(tile.buffer);
  const auto& strides = tile.strides.empty() ? from.layout.strides : tile.strides;
  const Extent &pitch = strides[strides.size() - 2], &step = strides.back();
  const auto count = static_cast<unsigned>(tile.sizes.back().constant().value_or(0));
  const std::uint64_t bytes = dlvm::info(from.element).bytes;
  std::uint64_t align = std::min<std::uint64_t>(e.alignment({tile.buffer, tile.origin}).value(), 16);
  while (align > bytes &&
         (!step.is(1) || static_cast<std::uint64_t>(pitch.constant().value_or(1)) * bytes % align != 0))
    align /= 2;
  const auto width = static_cast<unsigned>(std::min<std::uint64_t>(align / bytes, count));
  llvm::Type* element = math::memory_type(b.getContext(), from.element);
  llvm::Value* row = e.index(offset({tile.buffer, tile.origin}, from.layout)).base;
  row = b.CreateAdd(row, b.CreateMul(k, e.extents().value(pitch)));
  std::vector<math::SimdValue> elements;
  for (unsigned i = 0; i < count; i += width) {
    const unsigned here = std::min(width, count - i);
    llvm::Type* type = here == 1 ? element : llvm::FixedVectorType::get(element, here);
    llvm::Value* offset = b.CreateAdd(row, b.CreateMul(e.i64(i), e.extents().value(step)));
    llvm::Value* place = e.address(e.memory(tile.buffer), from.element, e.swizzled(offset, from.layout));
    llvm::Value* loaded = b.CreateAlignedLoad(type, place, llvm::Align(here == width ? align : bytes));
    for (unsigned lane = 0; lane < here; ++lane)
      elements.push_back(e.scalars().number(here == 1 ? loaded : b.CreateExtractElement(loaded, lane)));
  }
  return elements;
}

/// Adds left[k, i] * right[k, j] to to[i, j] over the panels' whole depth; `to` is in the thread's registers.
void multiply_in_thread(Emitter& e, const schedule::MultiplyAccumulate& multiply) {
  llvm::IRBuilder<>& b = e.builder();
  const ElementType type = e.buffer(multiply.to.buffer).element;
  const auto depth = multiply.left.sizes[multiply.left.sizes.size() - 2].constant().value_or(0);
  const auto rows = multiply.to.sizes[0].constant().value_or(0),
             columns = multiply.to.sizes[1].constant().value_or(0);
  llvm::Type* element = math::memory_type(b.getContext(), type);
  const auto place = [&](std::int64_t i, std::int64_t j) {
    return b.CreateConstInBoundsGEP1_64(element, e.start_of(multiply.to),
                                        static_cast<std::uint64_t>(i * columns + j));
  };
  const llvm::Align align(dlvm::info(type).bytes);
  std::vector<llvm::Value*> sums;
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j)
      sums.push_back(b.CreateAlignedLoad(element, place(i, j), align));
  for (std::int64_t k = 0; k < depth; ++k) {
    const auto left = line(e, multiply.left, e.i64(k)), right = line(e, multiply.right, e.i64(k));
    for (std::size_t i = 0; i < left.size(); ++i)
      for (std::size_t j = 0; j < right.size(); ++j) {
        llvm::Value*& sum = sums[i * right.size() + j];
        sum = math::fma(left[i], right[j], e.scalars().number(sum)).value;
      }
  }
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j)
      b.CreateAlignedStore(sums[static_cast<std::size_t>(i * columns + j)], place(i, j), align);
}

}  // namespace

void SimtModel::emit_multiply(Emitter& e, const schedule::MultiplyAccumulate& multiply) {
  if (is_on_tensor_cores(multiply.arithmetic)) return emit_matrix_product(e, multiply, threads_.warp);
  multiply_in_thread(e, multiply);
}

}  // namespace codegen::target::gpu
