#pragma once

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "codegen/kernel/interpret/evaluate.h"
#include "codegen/schedule/ir/linear_layout.h"
#include "codegen/schedule/ir/schedule.h"

/// The interpreter's memory, which is flat and records the threads that touch it.
namespace codegen::schedule::machine {

/// An access by a thread of the running grid, and the number of barriers that it had passed.
struct Touch {
  std::uint32_t grid = 0, block = 0, thread = 0;
  std::uint32_t block_barriers = 0, warp_barriers = 0;
};

/// The touches of each element with which a later one can conflict.
class Touches {
 public:
  explicit Touches(std::size_t element_bytes) : element_bytes_(element_bytes) {}
  /// Records the touch of the element that begins at the byte `place`. Returns an earlier touch by another
  /// thread that no barrier orders before it, if one of the two writes.
  std::optional<Touch> add(std::size_t place, const Touch& touch, bool writes);

 private:
  struct Element {
    std::optional<Touch> write;                ///< the last write
    std::optional<Touch> read_by_other_block;  ///< any read by another block
    std::optional<Touch> read, other_read;     ///< reads since the last barrier of the running block
  };
  static void add_read(Element& element, const Touch& touch);

  std::size_t element_bytes_;
  std::vector<Element> elements_;
};

/// The bytes of a buffer in one allocation.
struct Memory {
  explicit Memory(std::size_t size) : bytes(size, std::byte{0xff}) {}  ///< NaN in all floating types

  std::vector<std::byte> bytes;
  std::shared_ptr<Touches> touches;  ///< null if only one thread uses the memory, or it is never written
  std::set<std::size_t> landing;     ///< the elements that pending asynchronous copies write
};

/// A buffer under concrete dimensions.
class Placement {
 public:
  Placement(kernel::Run& run, const Buffer& buffer);

  const Buffer& buffer() const { return *buffer_; }
  const std::vector<std::int64_t>& strides() const { return strides_; }
  std::shared_ptr<Touches> touches() const { return std::make_shared<Touches>(element_bytes_); }
  /// Returns the layout of a tile that is distributed over threads.
  const std::optional<InvertibleLayout>& layout() const { return layout_; }
  std::size_t bytes() const { return static_cast<std::size_t>(count_) * element_bytes_; }

  /// Returns the element's offset before swizzling, in elements from the start.
  std::int64_t offset(std::span<const std::int64_t> indices) const;
  /// Returns the first axis along which the index is outside, if there is one.
  std::optional<std::size_t> outside(std::span<const std::int64_t> indices) const;
  /// Returns the byte at which the element at `offset` begins, or nothing if it is outside of the buffer.
  std::optional<std::size_t> place(std::int64_t offset) const;
  /// Returns the name, for messages, of the element that begins at the byte `place`: `tile[0, 5]`.
  std::string name(std::size_t place) const;

 private:
  const Buffer* buffer_;
  std::vector<std::int64_t> extents_, strides_;
  std::int64_t count_ = 0;
  std::size_t element_bytes_ = 1;
  std::optional<InvertibleLayout> layout_;
};

}  // namespace codegen::schedule::machine
