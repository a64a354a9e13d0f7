#pragma once

#include <optional>

#include "codegen/schedule/gpu/target.h"

namespace codegen::schedule::gpu {

/// Returns an upper bound of the extent where no named dimension is above `bound`, or nothing where none
/// follows.
std::optional<std::int64_t> upper_bound(const Extent& extent, std::int64_t bound);

/// A launch for fewer rows than this is not worth a variant.
inline constexpr std::int64_t min_bound = 4;

/// Returns a power of two of at most 64: where no named dimension is above, the kernel is small, that is, one
/// multiprocessor holds all that it reads and writes and is done with it in about the time of a few launches.
/// Returns nothing where the dimensions would have to be below `min_bound`, where a launch cannot carry all
/// buffers, or where a stage is a product that may be computed on tensor cores, in another order than small
/// ones are. From constant extents alone.
std::optional<std::int64_t> small_bound(const kernel::Kernel& kernel, const GpuTarget& target);

}  // namespace codegen::schedule::gpu
