#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dlvm/ir/tensor.h"

/// Reading, writing and moving the elements of concrete tensors, a tensor at a time.
namespace dlvm::elements {

std::int64_t element_count(const std::vector<std::int64_t>& extents);
/// Returns the row-major strides of these extents, in elements.
std::vector<std::int64_t> strides_of(const std::vector<std::int64_t>& extents);
/// Returns the position of the row-major element `i` as messages print it: `[2, 0]`.
std::string position(const std::vector<std::int64_t>& extents, std::size_t i);

/// Returns all elements, exactly; those of i64 and u64 beyond 2^53 are rounded.
std::vector<double> reals(const Tensor& tensor);
/// Returns all elements of a tensor of integers or bools; a u64 as its bits.
std::vector<std::int64_t> integers(const Tensor& tensor);
/// Sets all elements, each rounded once to the tensor's type.
void assign(Tensor& tensor, const std::vector<double>& values);
/// Sets all elements, each wrapped to the tensor's type.
void assign(Tensor& tensor, const std::vector<std::int64_t>& values);

/// Returns `value` in float64, rounded so that a further rounding to a narrower format is as if done once (to
/// odd).
double to_odd(std::int64_t value);
double to_odd(std::uint64_t value);

/// Returns the tensor in another element type: to an integer towards zero, saturating, NaN gives 0; between
/// integers wrapping; to bool, whether it is not 0; to a floating type rounded once.
Tensor converted(const Tensor& tensor, ElementType to);

/// A view of a tensor's elements: element (i0, i1, …) is at offset + sum of i * stride.
struct Walk {
  std::int64_t offset = 0;
  std::vector<std::int64_t> strides;
};
/// Copies the elements of a box of `extents` from one tensor to another of the same element type.
void copy(const Tensor& from, const Walk& source, Tensor& to, const Walk& target,
          const std::vector<std::int64_t>& extents);

/// Returns whether stretching axes of extent 1 and adding missing axes turns `from` into `to`.
bool stretches(const std::vector<std::int64_t>& from, const std::vector<std::int64_t>& to);
/// Returns the tensor stretched to extents for which `stretches` is true.
Tensor stretched(const Tensor& tensor, const std::vector<std::int64_t>& to);

/// Returns, for each element of a tensor of `extents` in row-major order, the number of the element that it
/// belongs to when `axes` are removed.
std::vector<std::size_t> reduced_positions(const std::vector<std::int64_t>& extents,
                                           const std::vector<std::int64_t>& axes);

}  // namespace dlvm::elements
