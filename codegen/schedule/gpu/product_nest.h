#pragma once

#include <functional>

#include "codegen/schedule/gpu/panel.h"
#include "codegen/schedule/gpu/split_product.h"

namespace codegen::schedule::gpu {

/// What the lowerings of a product for a GPU share, whatever computes a tile: the groups of axes, the loops
/// over batches and tiles of the result, the loop over k that fills panels and multiplies them, what happens
/// to the finished sums.
class ProductNest : protected ContractionNest {
 protected:
  /// Of a product in parts (`split`) each part's sums go to their buffer, in place of epilogue and stores.
  ProductNest(Lowering& lowering, const kernel::Stage& stage, const SplitProduct* split = nullptr);

  /// Whether the rows are at most `most`, in this variant.
  bool has_few_rows(std::int64_t most) const;

  /// What is computed of a tile, given its first row and column.
  using OfTile = std::function<Body(const Index& row, const Index& column)>;
  /// The grid: a block a tile of `rows` x `columns`.
  Body in_blocks(std::int64_t rows, std::int64_t columns, const OfTile& of_tile);
  /// One tile after the other.
  Body in_order(std::int64_t rows, std::int64_t columns, const OfTile& of_tile);

  Staging staging(std::int64_t threads) const { return {lowering_, stage_, outer_, k_, threads}; }
  BufferId allocate(Buffer buffer, Body& body);

  /// An operand on its way through its panel: what it is, and its first element along m or n.
  struct Operand {
    kernel::ScalarId scalar = 0;
    const AxisGroup& axes;
    Index first;
    Panel panel;
  };
  /// The loop over the summed points, of a part over those of the part.
  Loop open_k(std::int64_t step);
  /// Fills the panels with what a trip of `k` multiplies.
  Body fill(const Loop& k, Staging& staging, const Operand& left, const Operand& right) const;
  /// Trips fill their panels ahead of their turn: as many as have room for these in `shared_memory` bytes.
  void make_pipeline(Loop& k, const Panel& left, const Panel& right, std::int64_t shared_memory) const;

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

  AxisGroup batch_, m_, n_, k_;

 private:
  Body around_batch(Loop batch, Loop down, Loop across, Body tile);
  /// The first summed point of a trip.
  Index first_k(const Loop& loop) const;

  const SplitProduct* split_ = nullptr;
  Loop part_;  ///< of a product in parts
};

}  // namespace codegen::schedule::gpu
