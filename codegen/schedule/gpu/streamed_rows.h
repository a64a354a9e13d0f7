#pragma once

#include <optional>
#include <vector>

#include "codegen/schedule/gpu/column_block.h"
#include "codegen/schedule/gpu/lowering.h"

namespace codegen::schedule::gpu {

/// A kernel that computes elements of its rows' columns without keeping a row, as `kernel::stream_columns`
/// makes it: at each of its rows, a block over columns has contractions, of which some give elements for each
/// column, and the others sum over the columns what elements are multiplied with.
struct StreamedRows {
  ColumnBlock block;
  std::vector<const kernel::Stage*> stages;
};

/// Returns the parts of the kernel if it is one for tensor cores, in float32, and the target has them.
std::optional<StreamedRows> streamed_rows(const kernel::Kernel& kernel, const GpuTarget& target);

/// Returns the grid, or nothing if a block would need more shared memory than it may have. A block takes a
/// tile of rows, and the columns in tiles one after the other: elements of a tile are multiplied into shared
/// memory, and from there to sums in registers.
std::optional<Body> schedule_streamed_rows(GpuLowering& lowering, const StreamedRows& streamed);

}  // namespace codegen::schedule::gpu
