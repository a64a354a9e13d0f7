#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dlvm/ir/element_type.h"

namespace dlvm {

/// A concrete dense tensor, row-major: literals, inputs and results of the interpreter, files. Elements are
/// stored as in the compiled program (16-bit floats as their bits, bool as a byte 0 or 1).
class Tensor {
 public:
  Tensor() = default;
  Tensor(ElementType element, std::vector<std::int64_t> extents);  ///< zeros
  static Tensor scalar(ElementType element, double value);
  static Tensor scalar(ElementType element, std::int64_t value);

  ElementType element() const { return element_; }
  const std::vector<std::int64_t>& extents() const { return extents_; }
  std::size_t size() const { return bytes_.size() / info(element_).bytes; }
  std::byte* data() { return bytes_.data(); }
  const std::byte* data() const { return bytes_.data(); }
  std::size_t byte_count() const { return bytes_.size(); }

  /// Returns element `i` in row-major order: a floating one exactly, another one as a number.
  double real(std::size_t i) const;
  /// Returns element `i` of an integer or bool tensor; a u64 is returned as its bits.
  std::int64_t integer(std::size_t i) const;
  /// Rounds once to the element type (floating), or converts: towards zero, saturating, NaN gives 0.
  void set(std::size_t i, double value);
  /// Wraps to the element type; into a floating type it rounds.
  void set(std::size_t i, std::int64_t value);

  /// Returns whether type, shape and bits are equal.
  friend bool operator==(const Tensor&, const Tensor&) = default;

 private:
  ElementType element_ = ElementType::f32;
  std::vector<std::int64_t> extents_;
  std::vector<std::byte> bytes_ = std::vector<std::byte>(4);
};

}  // namespace dlvm
