#pragma once

#include <functional>

#include "codegen/schedule/gpu/panel.h"
#include "codegen/schedule/gpu/split_product.h"

namespace codegen::schedule::gpu {

/// Builds the parts of a product's loop nest that do not depend on how a tile is computed: the groups of
/// axes, the loops over batches and tiles of the result, the loop over k that fills panels and multiplies
/// them, and the epilogue.
class ProductBuilder {
 public:
  /// With `split`, each part's sums go to the buffer of partial sums instead of the epilogue and the stores.
  ProductBuilder(GpuLowering& lowering, const kernel::Stage& stage, const SplitProduct* split = nullptr);

  /// Binds an axis of the loops around, which is none of the stage's own.
  void bind(kernel::AxisId axis, Index index) { builder_.outer.axes[axis] = std::move(index); }

  /// Returns a loop with a fresh variable and no body.
  Loop open(const char* name, LoopKind kind, Extent extent, std::int64_t step = 1) {
    return builder_.open(name, kind, std::move(extent), step);
  }

  /// Returns the statements that compute a tile, given its first row and column.
  using OfTile = std::function<Body(const Index& row, const Index& column)>;
  /// Returns the grid in which each block computes a tile of `rows` x `columns`.
  Body in_blocks(std::int64_t rows, std::int64_t columns, const OfTile& of_tile);
  /// Returns serial loops over the tiles of `rows` x `columns`.
  Body in_order(std::int64_t rows, std::int64_t columns, const OfTile& of_tile);

  Staging staging(std::int64_t threads) const { return {lowering_, stage_, builder_.outer, k, threads}; }
  /// Adds the buffer to the schedule and its allocation to `body`.
  BufferId allocate(Buffer buffer, Body& body);

  /// An operand, its first element along m or n, and the panel that holds a part of it.
  struct Operand {
    kernel::ScalarId scalar = 0;
    const AxisGroup& axes;
    Index first;
    Panel panel;
  };
  /// Opens the loop over the summed points; in a split product, over those of the part. With more than one
  /// stage, iterations fill their panels ahead of their turn.
  Loop open_k(std::int64_t step, std::int64_t stages = 1);
  /// Returns the statements that fill the panels with the elements that one iteration of the loop over k
  /// multiplies.
  Body fill(const Loop& loop, Staging& staging, const Operand& left, const Operand& right) const;

  /// Returns the whole panel as a tile [k, other], whatever its layout.
  Tile whole(const Panel& panel) const;
  /// Returns the whole buffer of a tile's sums as a tile.
  Tile whole(BufferId sums) const;
  /// Returns the statement to += leftᵀ right on whole tiles.
  static Body multiply(Tile to, Tile left, Tile right, Arithmetic arithmetic = Arithmetic::fused);

  /// Returns two thread loops over the positions in a tile. Every use opens them alike.
  std::pair<Loop, Loop> places(std::int64_t down, std::int64_t across);
  /// Returns the epilogue and stores of a thread's results, of which (row, column) is one, whose sum is at
  /// `sum`; for a part of a split product, the stores of the partial sums. `each` has the unrolled loops over
  /// the results, the outermost first, with bounds where there may be none. Sums that are NaN are computed
  /// again first, if terms are masked (masked_sum.h).
  Body finished(std::vector<Loop> each, const Index& row, const Index& column, const Access& sum);

  AxisGroup batch, m, n, k;

 private:
  Body finish_one(const Index& row, const Index& column, const Access& sum);
  Body repeat(const std::vector<Loop>& each, const Index& row, const Index& column, const Access& sum);
  Body around_batch(Loop batches, Loop down, Loop across, Body tile);
  /// Returns the first summed point of the loop's iteration.
  Index first_k(const Loop& loop) const;

  GpuLowering& lowering_;
  const kernel::Stage& stage_;
  ContractionBuilder builder_;
  const SplitProduct* split_ = nullptr;
  Loop part_;  ///< the loop over the parts of a split product
};

}  // namespace codegen::schedule::gpu
