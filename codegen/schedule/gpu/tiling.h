#pragma once

#include "codegen/schedule/common/axis_group.h"
#include "codegen/schedule/common/transposition.h"
#include "codegen/schedule/gpu/target.h"

namespace codegen::schedule::gpu {

/// The tiles of a stage that transposes a tensor.
struct Tiling {
  struct Direction {
    AxisGroup axes;          ///< the axes of this direction as one, the contiguous one last
    std::int64_t side = 0;   ///< the extent of a tile, in elements
    std::int64_t width = 1;  ///< elements that a thread takes at once
  };
  AxisGroup batch;           ///< the axes that belong to no direction
  Direction rows, columns;   ///< the transposed axes, and the others
  Transposition transposed;  ///< the accesses that go through shared memory
  std::int64_t threads = 0;  ///< the threads of a block
};

/// Returns the tiles of the stage, or nothing if it has no transposition or an axis is too short for tiles to
/// pay.
std::optional<Tiling> choose_tiling(const kernel::Stage& stage, Buffers buffers, const GpuTarget& target);

}  // namespace codegen::schedule::gpu
