#pragma once

#include "codegen/schedule/gpu/choose_product.h"
#include "codegen/schedule/gpu/split_product.h"

namespace codegen::schedule::gpu {

/// These functions return a product as a grid, in which each block computes a tile of the result. Along k,
/// the operands are copied into panels `plan.depth` points at a time and multiplied. With `split`, the grid
/// is the first of the product's two grids.

/// Computes the product by threads that each have a register tile, in the type of the sums. Each element is
/// one chain of fused multiply-adds in the order of k.
Body schedule_thread_product(GpuLowering& lowering, const kernel::Stage& stage, const ProductPlan& plan,
                             const SplitProduct* split);

/// Computes the product on tensor cores. The tile is distributed over the block's warps, panels are swizzled,
/// and 16-bit operands keep their type. The order in which an element is summed depends on the summed extent
/// alone.
Body schedule_tensor_product(GpuLowering& lowering, const kernel::Stage& stage, const ProductPlan& plan,
                             const SplitProduct* split);

}  // namespace codegen::schedule::gpu
