#include "codegen/schedule/interpret/memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/schedule/ir/threads.h"

namespace codegen::schedule::machine {
namespace {

/// Of one buffer, in bytes; what takes more is no test.
constexpr std::int64_t limit = std::int64_t{1} << 30;

/// Whether everybody sees `a` before `b`, which comes later.
bool is_ordered(const Touch& a, const Touch& b) {
  if (a.grid != b.grid) return true;
  if (a.block != b.block) return false;
  if (a.thread == b.thread || a.block_barriers != b.block_barriers) return true;
  return a.thread / warp_threads == b.thread / warp_threads && a.warp_barriers != b.warp_barriers;
}

std::int64_t warp_of(const Touch& touch) { return touch.thread / warp_threads; }

}  // namespace

// Blocks are run one after the other, and all threads of a block up to its barriers: reads of an earlier
// interval are ordered before all that comes in this block, and one read of an earlier block stands for all.
std::optional<Touch> Touches::add(std::size_t place, const Touch& touch, bool writes) {
  const std::size_t i = place / element_bytes_;
  if (elements_.size() <= i) elements_.resize(i + 1);
  Element& element = elements_[i];
  if (const auto& read = element.read; read) {
    const bool of_other_block = read->grid == touch.grid && read->block != touch.block;
    if (of_other_block) element.read_by_other_block = read;
    if (of_other_block || read->grid != touch.grid || read->block_barriers != touch.block_barriers)
      element.read = element.other_read = std::nullopt;
  }
  std::optional<Touch> met;
  const auto meet = [&](const std::optional<Touch>& other) {
    if (other && !is_ordered(*other, touch)) met = other;
  };
  meet(element.write);
  if (!writes) {
    add_read(element, touch);
    return met;
  }
  meet(element.read_by_other_block);
  meet(element.read);
  meet(element.other_read);
  element.write = touch;
  return met;
}

// Two reads are enough: of two warps, one meets every write; of one warp, those since its last barrier count
// for its own writes, and one of two threads meets each of these.
void Touches::add_read(Element& element, const Touch& touch) {
  auto &one = element.read, &other = element.other_read;
  if (!one || (!other && one->thread == touch.thread)) return void(one = touch);
  if (warp_of(*one) != warp_of(touch)) return void(other = touch);
  if (other && warp_of(*other) != warp_of(*one)) return;
  if (one->warp_barriers != touch.warp_barriers) {
    one = touch;
    other.reset();
  } else if (one->thread != touch.thread) {
    other = touch;
  }
}

Placement::Placement(kernel::Run& run, const Buffer& buffer)
    : buffer_(&buffer),
      extents_(run.extents(buffer.shape)),
      strides_(run.extents(buffer.layout.strides)),
      count_(std::max<std::int64_t>(0, run.extent(element_count(buffer)))),
      element_bytes_(dlvm::info(buffer.element).bytes) {
  if (buffer.linear_layout) layout_ = InvertibleLayout::of(buffer);
  if (count_ <= limit / static_cast<std::int64_t>(element_bytes_)) return;
  run.fail(fmt::format("{} elements of {} are too many", count_, buffer.name));
  count_ = 0;
}

std::int64_t Placement::offset(std::span<const std::int64_t> indices) const {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < indices.size(); ++i) sum += indices[i] * strides_[i];
  return sum;
}

std::optional<std::size_t> Placement::outside(std::span<const std::int64_t> indices) const {
  for (std::size_t i = 0; i < indices.size(); ++i)
    if (indices[i] < 0 || indices[i] >= extents_[i]) return i;
  return std::nullopt;
}

std::optional<std::size_t> Placement::place(std::int64_t offset) const {
  if (const auto& swizzle = buffer_->layout.swizzle; swizzle && offset >= 0) {
    const std::int64_t moved = offset >> (swizzle->base + swizzle->shift);
    offset ^= (moved & ((std::int64_t{1} << swizzle->bits) - 1)) << swizzle->base;
  }
  if (offset < 0 || offset >= count_) return std::nullopt;
  return static_cast<std::size_t>(offset) * element_bytes_;
}

std::string Placement::name(std::size_t at) const {
  std::vector<std::int64_t> indices(extents_.size(), 0);
  while (!outside(indices)) {
    if (place(offset(indices)) == at) return fmt::format("{}[{}]", buffer_->name, fmt::join(indices, ", "));
    std::size_t axis = indices.size();
    while (axis-- > 0 && ++indices[axis] == extents_[axis] && axis > 0) indices[axis] = 0;
    if (indices.empty()) break;
  }
  return fmt::format("{} at {}", buffer_->name, at / element_bytes_);
}

}  // namespace codegen::schedule::machine
