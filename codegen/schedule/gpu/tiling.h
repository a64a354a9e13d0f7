#pragma once

#include "codegen/schedule/common/axis_group.h"
#include "codegen/schedule/common/transposition.h"
#include "codegen/schedule/gpu/target.h"

namespace codegen::schedule::gpu {

/// How a stage with a transposition is cut into tiles.
struct Tiling {
  struct Direction {
    AxisGroup axes;          ///< as one, the contiguous one last
    std::int64_t side = 0;   ///< of a tile, in elements
    std::int64_t width = 1;  ///< elements that a thread takes at once
  };
  AxisGroup batch;           ///< axes of no direction
  Direction rows, columns;   ///< along what is transposed, and what is not
  Transposition transposed;  ///< what goes through shared memory
  std::int64_t threads = 0;  ///< of a block
};

/// Returns nothing where the stage has no transposition, or tiles do not pay as one of the axes is short.
std::optional<Tiling> choose_tiling(const kernel::Stage& stage, Buffers buffers, const GpuTarget& target);

}  // namespace codegen::schedule::gpu
