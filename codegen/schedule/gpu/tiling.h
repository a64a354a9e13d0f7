#pragma once

#include "codegen/schedule/common/axis_group.h"
#include "codegen/schedule/common/transposition.h"

namespace codegen::schedule::gpu {

/// How a stage with a transposition is cut into tiles.
struct Tiling {
  struct Direction {
    AxisGroup axes;          ///< as one, the contiguous one last
    std::int64_t side = 32;  ///< of a tile, in elements
    std::int64_t width = 1;  ///< elements that a thread takes at once
  };
  AxisGroup batch;          ///< axes of no direction
  Direction rows, columns;  ///< along what is turned, and what is not
  Transposition turned;     ///< what goes through shared memory
  std::int64_t threads() const {
    return std::min<std::int64_t>(256, rows.side * columns.side / std::max(rows.width, columns.width));
  }
};

/// Nothing where tiles do not pay: one of the axes is short.
std::optional<Tiling> choose_tiling(const Lowering& lowering, const kernel::Stage& stage,
                                    Transposition found);

}  // namespace codegen::schedule::gpu
