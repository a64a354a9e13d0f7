#pragma once

#include "codegen/schedule/gpu/split_product.h"

namespace codegen::schedule::gpu {

/// Whether the stage is computed as products of tiles by blocks of threads. From its constant extents alone,
/// the summed one first.
bool is_tiled_for_threads(const kernel::Stage& stage);

/// The stage as a grid of its own: a block a tile of the result; k goes by in steps, at each of which the
/// threads bring the operands into shared memory, in the type of the sums, zeros beyond their ends, and then
/// multiply, each its own register tile. Each element is one chain of fused multiply-adds in the order of k.
/// Of a split product, the first grid. Where `lowering.few_rows` is set, a block has few rows, to no other
/// bits.
Body lower_contraction_as_grid(Lowering& lowering, const kernel::Stage& stage,
                               const SplitProduct* split = nullptr);

/// Up to so many rows `few_rows` serves better.
inline constexpr std::int64_t few_rows_of_threads = 8;

}  // namespace codegen::schedule::gpu
