#pragma once

#include <cstdint>

#include "codegen/kernel/ir/kernel.h"

namespace codegen::schedule::gpu {

/// The largest value of two constants among the rows, columns and summed points of a small product.
inline constexpr std::int64_t small_extent = 64;

/// Returns whether a float32 or float64 product is small: it has at most 16 multiply-adds for each element
/// read, so memory bounds it and no target computes it on tensor cores. With up to 64 summed points each
/// element is one chain of fused multiply-adds in their order, starting from the identity, however the
/// product is lowered. The grids of large batches and the single block of a small network (single_block.h)
/// therefore give the same bits.
bool is_small_product(const kernel::Stage& stage);

}  // namespace codegen::schedule::gpu
