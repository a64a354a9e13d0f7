#pragma once

#include "codegen/schedule/cpu/product_nest.h"

namespace codegen::schedule::cpu {

/// A tile of a product that fetches a part of what is read of the right operand when its block of rows has
/// been computed. The tiles of one block of rows and columns fetch all of it.
struct FetchingTile {
  Index inside, j;  ///< its number down the block of rows, and across the block of columns
  Index block;      ///< the first column of the block
  Index first_k;    ///< the first term of the block of k
};

/// Returns the tile's part of the panel behind panel `number`: the tiles down the block of rows have as many
/// terms each.
std::optional<Tile> next_panel(const ProductNest& nest, BufferId panels, const Index& number,
                               const FetchingTile& tile);

/// Returns the tile's part of the block that is packed next, in memory: some of the terms of all columns
/// where the columns are contiguous, some columns of all terms where these are. Returns nothing where the
/// operand is not read so, or where so many rows use a block, or may do so, that each of their blocks would
/// fetch it again.
std::optional<Tile> next_block(const ProductNest& nest, const FetchingTile& tile);

}  // namespace codegen::schedule::cpu
