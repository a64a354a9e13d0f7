#pragma once

#include <optional>
#include <set>

#include "codegen/schedule/cpu/choose.h"
#include "codegen/schedule/cpu/lowering.h"

namespace codegen::schedule::cpu {

/// Returns the axis of the block whose points are rows of all contractions among its stages, and which is
/// taken many points at a time so that these are products of tiles; nothing if there is none.
std::optional<kernel::AxisId> row_axis(const CpuLowering& lowering, const kernel::Block& block);

/// Returns the buffers that stages of the block access.
std::set<BufferId> accessed_buffers(const kernel::Block& block);

/// Returns the number of the product's rows if it is unknown when compiling and a variant for few rows
/// differs from the general one.
std::optional<Extent> small_m_extent(const CpuLowering& lowering, const kernel::Block& block);

/// Returns the loops of a block with such an axis of rows: a loop over tiles of rows, inside of which each
/// stage runs over the tile's rows, one stage after the other. What the block's local buffers hold at a point
/// they hold for each row of a tile. The right operands of products do not depend on the row: they are packed
/// in front of the loop over tiles. Stages that accumulate rows add the sums of a tile to those of the tiles
/// before, on one core. `depth` is that of the block in its kernel.
Body schedule_row_tiles(CpuLowering& lowering, const kernel::Block& block, std::uint32_t depth,
                        kernel::AxisId rows, const Renaming& outer);

}  // namespace codegen::schedule::cpu
