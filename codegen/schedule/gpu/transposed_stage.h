#pragma once

#include "codegen/schedule/gpu/lowering.h"
#include "codegen/schedule/gpu/tiling.h"

namespace codegen::schedule::gpu {

/// Returns an elementwise stage as a grid of tiles, a block each, where some of what it reads and writes is
/// contiguous along another axis than the rest: that goes through shared memory, into it or out of it along
/// the axis that is contiguous there, while the stage runs along that of the rest. Both go 16 bytes at a time
/// where extents and types allow, else an element a thread.
Body schedule_tiles(GpuLowering& lowering, const kernel::Stage& stage, const Tiling& tiling);

}  // namespace codegen::schedule::gpu
