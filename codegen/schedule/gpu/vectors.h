#pragma once

#include "codegen/schedule/gpu/lowering.h"

namespace codegen::schedule::gpu {

/// Whether the width divides the extent, whatever the dimensions.
bool divides(std::int64_t width, const Extent& extent);

/// Whether `width` elements along the axis, from this place of a tensor on, may be read at once: they are all
/// inside or all outside, and begin at a multiple of their size.
bool allows_vector_at(const Index& place, const kernel::Axis& axis, std::int64_t width);

/// Whether neighbours along the axis are a vector of every tensor that is read or written, or one element of
/// it, and nothing else depends on them.
bool is_vector(const kernel::Stage& stage, Buffers buffers, const kernel::Axis& axis);

/// Returns how many neighbouring points along the last axis a thread takes at once, as a vector: as many as
/// `access_bytes` hold, if all tensors are read and written along it or not at all; else 1.
std::int64_t vector_width(const kernel::Stage& stage, Buffers buffers, const GpuTarget& target);

/// Whether points are left over behind the last whole vector, or may be.
bool has_rest(const kernel::Stage& stage, std::int64_t width);

}  // namespace codegen::schedule::gpu
