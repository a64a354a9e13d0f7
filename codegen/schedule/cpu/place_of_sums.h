#pragma once

#include "codegen/schedule/cpu/product_nest.h"

namespace codegen::schedule::cpu {

/// A tile of a product of panels: its number down its block of rows, its number across the block of columns,
/// its place among the totals, down and across, its first element, and the first column of the block.
struct TilePosition {
  Index inside, j, down, across, row, column, block;
};

/// The memory where the sums of a product of panels are while their terms are added.
///
/// It is the result itself if nothing else is computed from the sums and whole rows of each tile can be
/// stored, and if all terms are one block of k, or the rows are constant and the terms are not. Such a result
/// is taken to be a parameter's derivative, whose terms are those of a batch, which may be one block. Several
/// blocks are added faster where the rows of a tile follow each other in memory: there all tiles of a group
/// of rows and a block of columns have a total. Where k is not divided, the memory is that of one tile.
class PlaceOfSums {
 public:
  explicit PlaceOfSums(ProductNest& nest);

  /// Returns whether the place is the result: then the sums have no epilogue.
  bool is_result() const { return result_ != nullptr; }

  /// Adds the buffer of one tile, unless the place is the result. Returns the statement that allocates it.
  Body add_tile();
  /// Adds the buffer of `down` by `across` totals, or of one where the place is the result, which needs it
  /// for products without terms. Returns the statement that allocates it. `are_kept`: all of them until the
  /// last block of k, even if that is the only one.
  Body add_totals(const Extent& down, const Extent& across, bool are_kept = false);

  /// Returns the first `rows` rows of the tile's sums.
  Tile tile_at(const TilePosition& position, std::int64_t rows) const;
  /// Returns where the epilogue finds the tile's sums, without the last two indices.
  Access sums_at(const TilePosition& position) const;
  /// Returns the statement that makes all of a tile's total the sum of no terms.
  Fill begin_total(const TilePosition& position) const;

 private:
  std::vector<Index> total_at(const TilePosition& position) const;

  ProductNest& nest_;
  const Access* result_;  ///< null if the sums have memory of their own
  BufferId buffer_ = 0;   ///< of a tile, or of totals
  bool are_kept_ = false;
};

}  // namespace codegen::schedule::cpu
