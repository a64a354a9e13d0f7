#pragma once

#include <compare>
#include <span>

#include "codegen/kernel/kernel.h"

/// Arithmetic on quasi-affine indices. Results are canonical: terms are sorted and of different atoms, and a
/// quotient or remainder that the extents of the axes settle is not there, so that equal maps mostly compare
/// equal.
namespace codegen::kernel {

using Indices = std::vector<Index>;
/// The extent of each axis, by its id.
using AxisExtents = std::span<const Extent>;

Index constant_index(Extent value);
Index axis_index(AxisId axis);
Index loaded_index(ScalarId scalar);

Index sum(const Index& a, const Index& b);
Index scaled(const Index& index, const Extent& by);
Index floor_divide(const Index& index, const Extent& divisor, AxisExtents axes);
Index modulo(const Index& index, const Extent& divisor, AxisExtents axes);

/// The axis where the index is just that.
std::optional<AxisId> lone_axis(const Index& index);
/// The value where the index has no terms.
std::optional<Extent> constant(const Index& index);
/// Adds the axes that the index depends on, but for those behind a loaded scalar.
void collect_axes(const Index& index, std::vector<AxisId>& axes);
void collect_loaded(const Index& index, std::vector<ScalarId>& scalars);

std::strong_ordering compare(const Index& a, const Index& b);
std::strong_ordering compare(const Indices& a, const Indices& b);

/// Smallest and largest value (inclusive) over all points, where they follow.
struct IndexRange {
  std::optional<Extent> least, most;
};
IndexRange range(const Index& index, AxisExtents axes);
/// Whether 0 <= index < end at every point.
bool provably_inside(const Index& index, const Extent& end, AxisExtents axes);

/// Row-major position of an element in a tensor of that shape.
Index flattened(const Indices& indices, const Shape& shape);

}  // namespace codegen::kernel
