#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>

#include "codegen/schedule/gpu/column_block.h"
#include "codegen/schedule/gpu/product_builder.h"
#include "codegen/schedule/gpu/tensor_sums.h"

namespace codegen::schedule::gpu {

/// A stage of a block over columns as it is for a tile, whose rows and columns are axes of its own, and the
/// builder of its product.
struct TileStage {
  TileStage(GpuLowering& lowering, kernel::Stage in_tile)
      : stage(std::move(in_tile)), product(lowering, stage) {}
  TileStage(const TileStage&) = delete;

  kernel::Stage stage;
  ProductBuilder product;
};

/// Returns the element type of the panels that the operands of the stage are multiplied from.
ElementType panel_type(const kernel::Stage& stage);

/// Builds what kernels have in common that take a block over columns in tiles: each block of the grid has
/// `tile_rows` rows, and takes their columns one tile after the other. What stages compute for a row and a
/// column is in shared memory for one tile, in panels from which tensor cores multiply.
class RowTileBuilder {
 public:
  static constexpr std::int64_t tile_rows = 64, tile_columns = 64;

  /// `m` are the axes of the rows; the others of the outer block are those of the batch.
  RowTileBuilder(GpuLowering& lowering, const ColumnBlock& block, const std::vector<kernel::AxisId>& m);

  const Renaming& outer() const { return outer_; }
  /// Returns the columns of the stage's sums, rounded up to those that warps can share.
  static std::int64_t columns_of(const TileStage& stage);
  /// Returns how many threads share a row of a tile where it is not multiplied.
  std::int64_t row_threads() const { return threads() / tile_rows; }

  // ---------------------------------------------------------------------------------------------- buffers

  /// Adds a tile of shared memory.
  BufferId add_tile(std::string name, ElementType element);
  /// Has the tile hold what stages store to the local buffer; for stages that `in_tile` returns later.
  void hold(kernel::BufferId local, BufferId tile) { tiles_[local] = tile; }
  /// Returns where an element of the tile is.
  std::vector<Index> place(BufferId tile, const Index& row, const Index& column) const;
  /// Returns the stage with the rows and columns of its contraction as axes of its own, and the elements of
  /// tiles in the place of those at a point.
  kernel::Stage in_tile(kernel::Stage stage) const;
  /// Chooses how many warps share a row of tiles: two, unless a stage's sums have columns for one only.
  void share(const std::vector<const TileStage*>& stages);
  /// Allocates registers for the sums of the stage, and sets them to `value`.
  BufferId allocate_sums(TileStage& of, const std::string& name, const dlvm::Tensor& value, Body& body);

  // ------------------------------------------------------------------------------------------------ loops

  /// Returns the grid whose blocks do what `of_rows` returns for the products of these stages.
  Body grid(const std::vector<TileStage*>& stages, const std::function<Body()>& of_rows);
  /// Returns the loop over the tiles, of which `of_tile` returns one.
  Body for_tiles(const std::function<Body(const Index& first_column)>& of_tile);
  /// Returns `of` for each row of the tile, or for those within the matrix, by a thread of its own.
  Body for_rows(bool all, const std::function<void(const Index& row, Body& body)>& of);

  /// A thread's part of a row of a tile.
  struct RowPart {
    Index row, part;
    Index column;  ///< of the element at hand, in the tile
    Renaming at;   ///< the point at hand
  };
  using OfPart = std::function<void(const RowPart& here, Body& body)>;
  /// Returns `of` for each element of the tile that is within the matrix, by `row_threads` threads for each
  /// row, which do `begin` before and `end` after it.
  Body for_elements(const Index& first_column, const OfPart& of, const OfPart& begin = nullptr,
                    const OfPart& end = nullptr);
  /// Returns `of` for each sum of the stage; those outside of the matrix are left out if `within` is set.
  Body for_sums(const TileStage& stage, bool within,
                const std::function<void(const Index& row, const Index& column, Body& body)>& of);

  // --------------------------------------------------------------------------------------------- products

  /// Multiplies the elements of a tile, and stores what the stage's epilogue makes of them. With more than
  /// one stage, panels are filled ahead; otherwise all products share their panels.
  Body multiply_elements(TileStage& of, const Index& first_column, std::int64_t stages);
  /// Adds the product of the tile and of the stage's right operand to the sums.
  Body add_product(TileStage& of, BufferId tile, const Index& first_column, BufferId sums);
  /// Appends the stage's epilogue for one sum, given its place in the tile and the components of its state.
  void finish(const TileStage& of, const Index& row, const Index& column, const std::vector<Access>& states,
              Body& body);
  /// Return what sets to zero the elements of a tile outside of the matrix: those in rows behind its last
  /// one, or in columns of the tile that begins at `first_column`.
  Body clear_rows(BufferId tile);
  Body clear_columns(BufferId tile, const Index& first_column);

 private:
  std::int64_t threads() const;
  SumTile sum_tile(const TileStage& stage) const;
  Loop open(const char* name, LoopKind kind, Extent extent, std::int64_t step = 1);
  BufferId add_panel(std::string name, std::int64_t size, ElementType element, bool is_along_k);
  void repeat_panel(BufferId panel);
  /// The properties of a panel: products share it if these are equal.
  struct PanelKey {
    std::string operand;
    std::int64_t size = 0;
    ElementType element = ElementType::f32;
    bool is_along_k = false, is_whole = false;
    auto operator<=>(const PanelKey&) const = default;
  };
  BufferId shared_panel(const TileStage& of, const PanelKey& key, Body& body);
  Tile tile_of(BufferId buffer, std::int64_t panel, std::int64_t size, bool is_along_k) const;
  Body multiply(Tile to, Tile left, Tile right, ElementType element) const;
  Body clear(BufferId tile, const Index& first, std::int64_t size, const Extent& count,
             const std::function<Index(const Index& row, const Index& column)>& place_of);

  GpuLowering& lowering_;
  ColumnBlock block_;
  const kernel::Axis& column_;
  kernel::AxisId row_in_tile_,
      column_in_tile_;   ///< the place of an element in its tile, in accesses of stages
  std::int64_t across_;  ///< the warps of a block across
  AxisGroup rows_, batch_;
  Renaming outer_;
  Index first_row_;
  std::map<kernel::BufferId, BufferId> tiles_;
  std::map<PanelKey, BufferId> panels_;  ///< that are shared
  std::vector<BufferId> whole_;          ///< those that become one for each part of a tile's columns
};

}  // namespace codegen::schedule::gpu
