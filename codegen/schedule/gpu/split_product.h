#pragma once

#include "codegen/schedule/common/lowering.h"

namespace codegen::schedule::gpu {

/// A product of few tiles with many summed points as two grids, so that more blocks have work. The first grid
/// writes the sums over each of `parts` ranges of `chunk` summed points to the workspace, and the second,
/// `final_stage`, adds them in order.
struct SplitProduct {
  std::int64_t parts = 0;
  Extent chunk;          ///< a multiple of the depth of every panel
  BufferId partial = 0;  ///< [part, the stage's parallel axes…]; the caller allocates it around both grids
  kernel::Stage final_stage;
};

/// Returns the stages of both grids, for that number of parts, and adds the buffer to the schedule.
/// `next_axis` is the first free id of an axis.
SplitProduct split_product(Lowering& lowering, const kernel::Stage& stage, std::int64_t parts,
                           kernel::AxisId& next_axis);

/// A number of summed points that the depth of every panel divides.
inline constexpr std::int64_t part_unit = 64;

}  // namespace codegen::schedule::gpu
