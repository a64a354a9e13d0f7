#pragma once

#include "codegen/schedule/gpu/lowering.h"

namespace codegen::schedule::gpu {

/// Returns whether the width divides the extent for all values of the dimensions.
bool divides(std::int64_t width, const Extent& extent);

/// Returns whether `width` elements along the axis, from this position in a tensor on, may be read at once:
/// they are all inside or all outside, and begin at a multiple of their size.
bool allows_vector_at(const Index& place, const kernel::Axis& axis, std::int64_t width);

/// Returns whether neighbours along the axis form a vector in every tensor that is read or written, or are
/// one element of it, and nothing else depends on the axis.
bool is_vector(const kernel::Stage& stage, Buffers buffers, const kernel::Axis& axis);

/// Returns the number of neighbouring points along the last axis that a thread computes at once, as a vector:
/// as many as `access_bytes` hold if all tensors are accessed along that axis or do not depend on it, and
/// otherwise 1.
std::int64_t vector_width(const kernel::Stage& stage, Buffers buffers, const GpuTarget& target);

/// Returns whether points may remain after the last whole vector.
bool has_rest(const kernel::Stage& stage, std::int64_t width);

}  // namespace codegen::schedule::gpu
