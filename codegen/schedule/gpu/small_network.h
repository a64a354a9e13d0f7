#pragma once

#include <optional>

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule::gpu {

/// Of the extent where no named dimension is above `bound`; absent where that does not follow.
std::optional<std::int64_t> upper_bound(const Extent& extent, std::int64_t bound);

/// A launch for fewer rows than this is not worth a variant.
inline constexpr std::int64_t least_bound = 4;

/// A power of two of at most 64: where no named dimension is above, the kernel is small, that is, one
/// multiprocessor holds all that it reads and writes and is done with it in about the time of a few launches.
/// Nothing where the dimensions would have to be below `least_bound`, where a launch cannot carry all
/// buffers, or where a stage is a product that may be computed on tensor cores, in another order than small
/// ones are. From constant extents alone.
std::optional<std::int64_t> small_bound(const kernel::Kernel& kernel);

}  // namespace codegen::schedule::gpu
