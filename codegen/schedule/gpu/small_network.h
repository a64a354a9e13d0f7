#pragma once

#include <optional>

#include "codegen/schedule/gpu/target.h"

namespace codegen::schedule::gpu {

/// Returns an upper bound of the extent if no named dimension is above `bound`, or nothing if it has none.
std::optional<std::int64_t> upper_bound(const Extent& extent, std::int64_t bound);

/// The least bound for which a variant pays.
inline constexpr std::int64_t min_bound = 4;

/// Returns the bound up to which dimensions make the kernel small, a power of two of at most 64. A kernel is
/// small if one multiprocessor holds everything that it reads and writes and finishes in about the time of a
/// few launches. Returns nothing if the bound would be below `min_bound`, if a launch cannot take all
/// buffers, or if a stage is a product that larger dimensions compute on tensor cores, which sum in another
/// order. The bound depends on constant extents alone.
std::optional<std::int64_t> small_bound(const kernel::Kernel& kernel, const GpuTarget& target);

}  // namespace codegen::schedule::gpu
