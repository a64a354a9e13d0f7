#pragma once

#include <map>

#include "codegen/schedule/gpu/lowering.h"

namespace codegen::schedule::gpu {

/// The shared memory that the products of one block use one after the other: two panels for each element
/// type.
struct ProductPanels {
  struct Pair {
    BufferId left, right;
  };
  std::map<ElementType, Pair> of_type;
};

/// Returns the statements by which one block computes a small product, tile by tile, beside other stages. The
/// operands go through the panels, 16 summed points at a time, with zeros beyond their ends. Each element is
/// one chain of fused multiply-adds in the order of k, as `small_product.h` says. Panels that are missing are
/// added; the caller allocates them around the statements.
Body schedule_block_product(GpuLowering& lowering, const kernel::Stage& stage, ProductPanels& panels);

}  // namespace codegen::schedule::gpu
