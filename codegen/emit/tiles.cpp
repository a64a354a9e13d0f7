#include <algorithm>

#include "codegen/emit/emitter.h"
#include "codegen/math/operations.h"
#include "dlvm/support/internal_error.h"

namespace codegen::emit {
namespace {

/// Elements that one store of a fill has, at most; and zeros, at most, that are stored as vectors, so that
/// sums which begin with them are known to be zero. More zeros are a call of `memset`.
constexpr std::int64_t max_store = 16, max_stored = 320;

}  // namespace

llvm::Value* Emitter::start_of(const schedule::Tile& tile) {
  const EmittedIndex at = place_of({tile.buffer, tile.origin});
  return address(memory_.at(tile.buffer), buffer(tile.buffer).element, at.base);
}

void Emitter::emit(const schedule::Fill& fill) {
  const Memory& memory = memory_.at(fill.to.buffer);
  const ElementType type = buffer(fill.to.buffer).element;
  const bool distributed = buffer(fill.to.buffer).linear_layout.has_value();
  const Extent elements =
      distributed ? element_count(buffer(fill.to.buffer)) : dlvm::unit_count(fill.to.sizes);
  const auto count = elements.constant();
  if (!count || *count > 4096) dlvm::internal_error("a fill of a tile without a constant size");
  const EmittedIndex at = place_of({fill.to.buffer, fill.to.origin});
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
  const bool zeros = std::all_of(fill.value.data(), fill.value.data() + fill.value.byte_count(),
                                 [](std::byte byte) { return byte == std::byte{0}; });
  if (zeros && *count > max_stored) {
    b_.CreateMemSet(pointer, b_.getInt8(0), static_cast<std::uint64_t>(*count) * dlvm::info(type).bytes,
                    align);
    return;
  }
  const std::int64_t size = *count <= max_store || *count % max_store != 0 ? *count : max_store;
  math::SimdBuilder lanes(b_, static_cast<unsigned>(size), features_);
  llvm::Value* value = math::to_memory(math::literal(lanes, fill.value), type);
  for (std::int64_t i = 0; i < *count; i += size)
    b_.CreateAlignedStore(
        value, b_.CreateConstInBoundsGEP1_64(value->getType(), pointer, static_cast<std::uint64_t>(i / size)),
        align);
}

void Emitter::emit(const schedule::Convert&) {
  dlvm::internal_error("a conversion of tiles in a schedule for a target without them");
}

}  // namespace codegen::emit
