#pragma once

#include <functional>

#include "codegen/schedule/gpu/panel.h"
#include "codegen/schedule/gpu/split_product.h"

namespace codegen::schedule::gpu {

/// Builds the parts of a product's loop nest that are the same whatever computes a tile: the groups of axes,
/// the loops over batches and tiles of the result, the loop over k that fills panels and multiplies them, and
/// what happens to the finished sums.
class ProductBuilder {
 public:
  /// With `split`, a product in parts, each part's sums go to their buffer, in place of epilogue and stores.
  ProductBuilder(GpuLowering& lowering, const kernel::Stage& stage, const SplitProduct* split = nullptr);

  Loop open(const char* name, LoopKind kind, Extent extent, std::int64_t step = 1) {
    return builder_.open(name, kind, std::move(extent), step);
  }

  /// Computes a tile, given its first row and column.
  using OfTile = std::function<Body(const Index& row, const Index& column)>;
  /// The grid: a block a tile of `rows` x `columns`.
  Body in_blocks(std::int64_t rows, std::int64_t columns, const OfTile& of_tile);
  /// One tile after the other.
  Body in_order(std::int64_t rows, std::int64_t columns, const OfTile& of_tile);

  Staging staging(std::int64_t threads) const { return {lowering_, stage_, builder_.outer, k, threads}; }
  BufferId allocate(Buffer buffer, Body& body);

  /// An operand on its way through its panel: what it is, and its first element along m or n.
  struct Operand {
    kernel::ScalarId scalar = 0;
    const AxisGroup& axes;
    Index first;
    Panel panel;
  };
  /// Opens the loop over the summed points, of a part over those of the part; with more than one stage, trips
  /// fill their panels ahead of their turn.
  Loop open_k(std::int64_t step, std::int64_t stages = 1);
  /// Fills the panels with what a trip of the loop over k multiplies.
  Body fill(const Loop& loop, Staging& staging, const Operand& left, const Operand& right) const;

  /// [k, other], whatever the panel's layout.
  Tile whole(const Panel& panel) const;
  /// All sums of a tile, in their buffer.
  Tile whole(BufferId sums) const;
  /// to += leftᵀ right, of whole tiles.
  static Body multiply(Tile to, Tile left, Tile right, Arithmetic arithmetic = Arithmetic::fused);

  /// The threads' places in a tile: two loops that every use opens alike.
  std::pair<Loop, Loop> places(std::int64_t down, std::int64_t across);
  /// Epilogue and stores of the result at (row, column), whose sum is `sum`; of a part the store of that.
  Body finished(const Index& row, const Index& column, const Access& sum);

  AxisGroup batch, m, n, k;

 private:
  Body around_batch(Loop batches, Loop down, Loop across, Body tile);
  /// The first summed point of a trip.
  Index first_k(const Loop& loop) const;

  GpuLowering& lowering_;
  const kernel::Stage& stage_;
  ContractionBuilder builder_;
  const SplitProduct* split_ = nullptr;
  Loop part_;  ///< of a product in parts
};

}  // namespace codegen::schedule::gpu
