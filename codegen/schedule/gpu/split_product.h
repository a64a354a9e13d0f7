#pragma once

#include "codegen/schedule/common/lowering.h"

namespace codegen::schedule::gpu {

/// A product of few tiles with many summed points as two grids, so that more blocks have work: the first
/// writes the tiles' sums of each of `parts` ranges of `chunk` summed points to the workspace; the second,
/// `final_stage`, adds them in order.
struct SplitProduct {
  std::int64_t parts = 0;
  Extent chunk;          ///< a multiple of the depth of every panel
  BufferId partial = 0;  ///< [part, the stage's parallel axes…], to be allocated around both grids
  kernel::Stage final_stage;
};

/// Makes both grids' stages, for so many parts. Adds the buffer to the schedule; `next_axis` is the first
/// free id of an axis.
SplitProduct split_product(Lowering& lowering, const kernel::Stage& stage, std::int64_t parts,
                           kernel::AxisId& next_axis);

/// Summed points that every panel's depth divides.
inline constexpr std::int64_t part_unit = 64;

}  // namespace codegen::schedule::gpu
