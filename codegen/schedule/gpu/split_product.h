#pragma once

#include "codegen/schedule/common/lowering.h"

namespace codegen::schedule::gpu {

/// A product of few tiles with many summed points as two grids, so that more blocks have work: of each of
/// `parts` runs of `chunk` points the tiles' sums go to the workspace; then they are added in order.
struct SplitProduct {
  std::int64_t parts = 0;
  Extent chunk;          ///< a multiple of the depth of every panel
  BufferId partial = 0;  ///< [part, the stage's parallel axes…], to be allocated around both grids
  kernel::Stage rest;    ///< the second grid
};

/// Of up to so many summed points each element is one chain of multiply-adds.
inline constexpr std::int64_t whole_chain = 512;

/// Nothing where there are tiles enough, or few summed points: that follows from constant extents alone, a
/// product with a free extent is not split, whatever that is. Adds the buffer to the schedule; `next_axis` is
/// the first free id of an axis.
std::optional<SplitProduct> split_product(Lowering& lowering, const kernel::Stage& stage,
                                          kernel::AxisId& next_axis);

/// Where a product that `split_product` splits has so few summed points that it must not be; nothing where
/// that does not depend on dimensions.
std::optional<Guard> whole_product(const kernel::Stage& stage);

}  // namespace codegen::schedule::gpu
