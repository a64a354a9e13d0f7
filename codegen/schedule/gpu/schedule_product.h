#pragma once

#include "codegen/schedule/gpu/choose_product.h"
#include "codegen/schedule/gpu/split_product.h"

namespace codegen::schedule::gpu {

/// Returns a product as a grid of its own: a block a tile of the result; k goes by in steps of `plan.depth`,
/// at each of which the operands are brought into panels and multiplied. With `split`, it is the first of its
/// two grids.

/// By threads, each its own register tile, in the type of the sums: each element is one chain of fused
/// multiply-adds in the order of k.
Body schedule_thread_product(GpuLowering& lowering, const kernel::Stage& stage, const ProductPlan& plan,
                             const SplitProduct* split);

/// By tensor cores: the tile is distributed over the block's warps, panels are swizzled, 16-bit operands stay
/// as they are. The order in which an element is summed depends on the summed extent alone.
Body schedule_tensor_product(GpuLowering& lowering, const kernel::Stage& stage, const ProductPlan& plan,
                             const SplitProduct* split);

}  // namespace codegen::schedule::gpu
