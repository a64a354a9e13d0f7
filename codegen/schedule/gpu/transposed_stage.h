#pragma once

#include "codegen/schedule/gpu/lowering.h"
#include "codegen/schedule/gpu/tiling.h"

namespace codegen::schedule::gpu {

/// Returns an elementwise stage as a grid of tiles, one for each block, if some tensors are contiguous along
/// another axis than the rest. These tensors go through shared memory: they are accessed along the axis along
/// which they are contiguous, while the stage runs along the axis of the rest. Both accesses take 16 bytes at
/// a time if extents and types allow it, and otherwise one element for each thread.
Body schedule_tiles(GpuLowering& lowering, const kernel::Stage& stage, const Tiling& tiling);

}  // namespace codegen::schedule::gpu
