#pragma once

#include <map>

#include "codegen/schedule/gpu/lowering.h"

namespace codegen::schedule::gpu {

/// Shared memory that the products of one block use one after the other: two panels for each type.
struct ProductPanels {
  struct Pair {
    BufferId left, right;
  };
  std::map<ElementType, Pair> of_type;
};

/// Returns a small product as one block computes it, tile by tile, beside other stages: the operands
/// go through the panels, 16 summed points at a time, zeros beyond their ends. Each element is one chain of
/// fused multiply-adds in the order of k, as `small_product.h` says. Adds the panels that are not there yet;
/// they are to be allocated around.
Body schedule_block_product(GpuLowering& lowering, const kernel::Stage& stage, ProductPanels& panels);

}  // namespace codegen::schedule::gpu
