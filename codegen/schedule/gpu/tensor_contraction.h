#pragma once

#include "codegen/schedule/gpu/split_product.h"

namespace codegen::schedule::gpu {

/// Whether the stage is computed as products on tensor cores, where the chip has these: of f16, bf16 and f32,
/// unless constant extents, the summed one first, say that a tile is not worth it.
bool is_for_tensor_cores(const Lowering& lowering, const kernel::Stage& stage);

/// The stage as a grid of its own: a block a tile of the result, distributed over its warps; k goes by in
/// steps, at each of which the operands are brought into swizzled panels, 16-bit ones as they are. The order
/// in which an element is summed depends on the summed extent alone.
/// Of a split product, the first grid. Where `lowering.few_rows` is set, a block has few rows.
Body lower_contraction_to_tensor_cores(Lowering& lowering, const kernel::Stage& stage,
                                       const SplitProduct* split = nullptr);

/// Up to so many rows `few_rows` serves better.
inline constexpr std::int64_t few_rows_of_tensor_cores = 16;

}  // namespace codegen::schedule::gpu
