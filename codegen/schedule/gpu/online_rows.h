#pragma once

#include <optional>

#include "codegen/schedule/gpu/column_block.h"
#include "codegen/schedule/gpu/lowering.h"
#include "codegen/schedule/gpu/weighted_sums.h"

namespace codegen::schedule::gpu {

/// A kernel that weights rows without keeping them, as `kernel::combine_online` makes it: at each of its
/// rows, a block over columns has a product that gives a score for each column, and a stage that accumulates
/// weighted sums, of which the last one is a product with the weights.
struct OnlineRows {
  ColumnBlock block;
  const kernel::Stage *score = nullptr, *sums = nullptr;
  WeightedSums weights;
};

/// Returns the parts of the kernel if it is one for tensor cores, in float32, and the target has them.
std::optional<OnlineRows> online_rows(const kernel::Kernel& kernel, const GpuTarget& target);

/// Returns the type of the weights, which are multiplied with the right operand.
ElementType weight_type(const kernel::Stage& sums);

/// Returns the grid. A block takes a tile of rows, and the columns in tiles one after the other: it
/// multiplies the scores of a tile into shared memory, takes them as weights for the largest score so far,
/// and adds the product with the weights to sums in registers (T. Dao et al.: FlashAttention, 2022).
Body schedule_online_rows(GpuLowering& lowering, const OnlineRows& online);

}  // namespace codegen::schedule::gpu
