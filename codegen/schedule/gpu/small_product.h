#pragma once

#include <cstdint>

#include "codegen/kernel/ir/kernel.h"

namespace codegen::schedule::gpu {

/// A small product has two constants of at most this among its rows, columns and summed points.
inline constexpr std::int64_t small_extent = 64;

/// Whether a float32 or float64 product is small. Memory bounds it, not multiply-adds: there are at most 16
/// of these for each element read, which ordinary ones keep up with, so no target computes it on tensor
/// cores. Of up to 64 summed points each element is one chain of fused multiply-adds in their order, from the
/// identity on, however the product is lowered: the grids of large batches and the single block of a small
/// network (single_block.h) give the same bits.
bool is_small_product(const kernel::Stage& stage);

}  // namespace codegen::schedule::gpu
