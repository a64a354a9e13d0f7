#pragma once

#include "codegen/schedule/cpu/product_nest.h"

namespace codegen::schedule::cpu {

/// The last tile of a product's columns, if these are so few that they are the rows of a product whose lanes
/// are the tile's rows. Their sums are in a panel of their own, [tile, column, row].
class LastColumns {
 public:
  explicit LastColumns(ProductNest& nest) : nest_(nest) {}

  /// Whether the plan has such a tile. The other functions are for those plans.
  bool exist() const { return nest_.plan.last_columns > 0; }
  /// Returns the statement that allocates the sums of that many tiles of rows.
  Body allocate(const Extent& tiles);
  /// Returns the statement that clears the sums of tile `number`.
  Body clear(const Index& number) const;
  /// How many rows of a tile, and how many terms, are there.
  struct Existing {
    Index rows, terms;
  };
  /// Returns the statement that adds a block of terms to the sums of tile `number`. `left` and `right` are
  /// the first terms of the tile's rows and of its columns in the packed operands.
  Body multiply(const Index& number, const Access& left, const Access& right, const Existing& existing) const;
  /// Returns statements that move the sums of tile `number` to `tile`, where the sums of other tiles are,
  /// without its last two indices.
  Body move(const Index& number, Access tile) const;

 private:
  Tile sums(const Index& number) const;

  ProductNest& nest_;
  BufferId panel_ = 0;
};

}  // namespace codegen::schedule::cpu
