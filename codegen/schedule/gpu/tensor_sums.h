#pragma once

#include <vector>

#include "codegen/schedule/gpu/lowering.h"

namespace codegen::schedule::gpu {

/// A tile of sums that the tensor cores of a block's warps compute: `down` x `across` warps have one part
/// each, in the registers of their threads.
struct SumTile {
  std::int64_t rows = 0, columns = 0, down = 0, across = 0;
};

/// Returns the tile's registers, as a buffer for `Lowering::add_buffer`.
Buffer sums_of(const SumTile& tile, std::string name);

/// The loops in which each thread visits the sums that it holds, those of two neighbouring columns together.
struct SumLoops {
  std::vector<Loop> threads;  ///< over the threads of the block
  std::vector<Loop> own;      ///< over the sums of a thread, unrolled
  Index row, column;          ///< of a sum in the tile

  /// Leaves out the sums that are outside of a matrix, in which the tile begins at that row and column.
  void within(const Index& first_row, const Extent& rows, const Index& first_column, const Extent& columns);
  /// Returns `body` in the loops.
  Body around(Body body) &&;
};
SumLoops visit_sums(Lowering& lowering, const SumTile& tile);

}  // namespace codegen::schedule::gpu
