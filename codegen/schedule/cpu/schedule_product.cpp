// Contractions as products of tiles: for blocks of columns the right operand is packed, for blocks of rows
// the left one, unless it can be read from where it is; then one register tile after the other runs over k,
// and the epilogue over the finished tile. Each element is one chain of multiply-adds in the order of k, in
// every variant. Where k is long, the chain begins anew with each block of k, and the blocks' sums are added
// in order: what one block needs of both operands stays in the caches, and errors stay small (Goto, van de
// Geijn, Anatomy of High-Performance Matrix Multiplication, 2008). The blocks' sums for a group of rows and a
// block of columns are in memory, in the result itself if the epilogue only stores them; one packed block of
// the right operand is used by all of the group's rows.
// Different cores compute blocks of columns and, in these, ranges of rows.
// Where the loop over blocks of k is that of others (row_tiles.h), the parts around it are returned apart.
#include <algorithm>

#include "codegen/schedule/cpu/fetch_ahead.h"
#include "codegen/schedule/cpu/operand_packer.h"
#include "codegen/schedule/cpu/place_of_sums.h"
#include "codegen/schedule/cpu/product_nest.h"
#include "codegen/schedule/cpu/schedule_stage.h"
#include "dlvm/support/internal_error.h"

namespace codegen::schedule::cpu {
namespace {

using kernel::Stage;

/// The largest known number of terms for which writing the results takes most of the time.
constexpr std::int64_t few_terms = 16;

class ProductBuilder {
 public:
  ProductBuilder(CpuLowering& lowering, const Stage& stage, const Renaming& outer, const ProductPlan& plan,
                 const RowTile* tile)
      : nest_(lowering, stage, outer, plan),
        row_tile_(tile),
        sums_(nest_),
        depth_(plan.k_block ? Extent(*plan.k_block) : nest_.axes.k.extent) {
    if (tile != nullptr) range_end_ = tile->range_end;
  }

  Body build() {
    return nest_.in_batch([&] { return columns(); });
  }

  /// Returns the parts of the product with a loop over blocks of k around that is not its own. The rows or
  /// the columns are one block.
  Accumulation accumulate(const Index& first_k) {
    Accumulation result;
    result.before = sums_.add_totals(count(axes_.m, plan_.rows), count(axes_.n, plan_.columns), true);
    result.inside = allocate_panels();
    const bool are_rows_together = count(axes_.m, plan_.row_block).is(1);
    if (are_rows_together) append(result.inside, pack_left(constant_index(0), first_k));
    append(result.inside, for_columns([&](const ColumnBlock& block) {
             Body columns = pack_right(block.column, first_k);
             append(columns, for_row_blocks([&](const RowRange& range) {
                      Body rows = are_rows_together ? Body() : pack_left(range.row, first_k);
                      append(rows, tiles(range, block,
                                         [&](const TilePosition& place) { return product(place, first_k); }));
                      return rows;
                    }));
             return columns;
           }));
    const auto all_tiles = [&](auto of) {
      return for_columns([&](const ColumnBlock& block) {
        return for_row_blocks([&](const RowRange& range) { return tiles(range, block, of); });
      });
    };
    if (axes_.k.extent.constant().value_or(0) == 0)
      result.after = nest_.where("no_terms", {constant_index(axes_.k.extent), 1},
                                 all_tiles([&](const TilePosition& place) {
                                   Body one;
                                   one.push_back({sums_.begin_total(place)});
                                   if (sums_.is_result()) append(one, epilogue(place));
                                   return one;
                                 }));
    if (!sums_.is_result())
      append(result.after, all_tiles([&](const TilePosition& place) { return epilogue(place); }));
    return result;
  }

  /// Packs all of the right operand into a panel [tile of columns, k, column].
  Body pack_right(RowTile& tile) {
    const Extent blocks = column_blocks();
    const Extent tiles = blocks * Extent(plan_.column_block / plan_.columns);
    tile.right = nest_.add_panel("right", {tiles, axes_.k.extent, plan_.columns});
    Loop n = builder_.open("n", LoopKind::core, blocks);
    Loop k = builder_.open("k_block", LoopKind::serial, axes_.k.extent, plan_.k_block.value_or(1));
    const Index first_k = plan_.k_block ? variable(k.id) : constant_index(0);
    Body body =
        make_packer().pack({stage_.contraction->right, axes_.n, variable(n.id) * Extent(plan_.column_block),
                            plan_.columns, plan_.column_block, *tile.right, first_k, depth_, true, nullptr,
                            variable(n.id) * Extent(plan_.column_block / plan_.columns), first_k});
    if (plan_.k_block) body = around(std::move(k), std::move(body));
    Body all;
    all.push_back({Allocate{*tile.right}});
    append(all, around(std::move(n), std::move(body)));
    return all;
  }

 private:
  /// `size` rows from `row` on, and the number of their first tile among the totals.
  struct RowRange {
    Index row, number;
    std::int64_t size;
  };
  /// A block of columns from `column` on, and the number of its first tile among the totals.
  struct ColumnBlock {
    Index column, number = {};
  };
  std::optional<Extent> step(const Access& access, const AxisGroup& group) const {
    return step_along(nest_.lowering.schedule.buffers, access, group);
  }

  /// Returns the operand's memory as [k, other], from (first_k, first) on.
  Tile direct(const Access& access, const AxisGroup& other, const Index& first, std::int64_t size,
              const Index& first_k) {
    Renaming renaming = builder_.outer;
    axes_.k.bind(first_k, renaming);
    other.bind(first, renaming);
    return {access.buffer,
            rename(access, renaming).indices,
            {depth_, size},
            {*step(access, axes_.k), *step(access, other)}};
  }

  OperandPacker make_packer() const {
    return {nest_.lowering, stage_, builder_.outer, axes_.k, plan_.k_block.has_value()};
  }

  // The nest.

  Extent column_blocks() const {
    return Extent::floor_divide(axes_.n.extent + Extent(plan_.column_block - 1), plan_.column_block);
  }
  bool is_packed_before() const { return plan_.right_panels || (row_tile_ != nullptr && row_tile_->right); }

  Body columns() {
    if (is_packed_before()) {
      Loop n = builder_.open("n", LoopKind::core, column_blocks());
      right_panel_ =
          plan_.right_panels ? plain_access(stage_, stage_.contraction->right)->buffer : *row_tile_->right;
      const Index first = variable(n.id) * Extent(plan_.column_block);
      return columns(std::move(n), first);
    }
    Loop n = builder_.open("n", LoopKind::core, axes_.n.extent, plan_.column_block);
    const Index first = variable(n.id);
    return columns(std::move(n), first);
  }

  /// Returns how many parts of so many points the group has.
  static Extent count(const AxisGroup& group, std::int64_t points) {
    return Extent::floor_divide(group.extent + Extent(points - 1), points);
  }
  /// Returns what `of` makes of each block of columns, or of rows, in a loop over these.
  template <typename Of>
  Body for_columns(Of of) {
    Loop n = builder_.open("n", LoopKind::serial, count(axes_.n, plan_.column_block));
    const Index number = variable(n.id);
    Body body = of(ColumnBlock{number * plan_.column_block, number * (plan_.column_block / plan_.columns)});
    return around(std::move(n), std::move(body));
  }
  template <typename Of>
  Body for_row_blocks(Of of) {
    Loop m = builder_.open("m", LoopKind::serial, count(axes_.m, plan_.row_block));
    const Index number = variable(m.id);
    Body body =
        of(RowRange{number * plan_.row_block, number * (plan_.row_block / plan_.rows), plan_.row_block});
    return around(std::move(m), std::move(body));
  }

  /// Adds the panels for a block of each operand that is packed, and returns the statements that allocate
  /// them.
  Body allocate_panels() {
    Body body;
    if (!plan_.right_direct && !is_packed_before()) {
      right_panel_ = nest_.add_panel("right", {plan_.column_block / plan_.columns, depth_, plan_.columns});
      body.push_back({Allocate{right_panel_}});
    }
    if (!plan_.left_direct) {
      left_panel_ =
          nest_.add_panel("left", {plan_.row_block / plan_.rows, depth_, nest_.whole_vectors(plan_.rows)});
      body.push_back({Allocate{left_panel_}});
    }
    return body;
  }

  /// Returns the block of columns that begins at `column`, in the loop `n` over these blocks.
  Body columns(Loop n, const Index& column) {
    Body body = allocate_panels();
    append(body, plan_.k_block ? row_groups(column) : row_blocks(column));
    return around(std::move(n), std::move(body));
  }

  /// Returns the tiles of a block of columns, each over all of k.
  Body row_blocks(const Index& column) {
    const Body allocate = sums_.add_tile();
    const Index zero = constant_index(0);
    Body all = pack_right(column, zero);
    Loop ranges = open_ranges();
    Loop m = builder_.open("m", LoopKind::serial, axes_.m.extent, plan_.row_block);
    const Index row = row_tile_ != nullptr ? row_tile_->first : variable(ranges.id) + variable(m.id);
    m.bounds.push_back(row_bound(row));
    Body body = pack_left(row, zero);
    append(body, tiles({row, zero, plan_.row_block}, {column}, [&](const TilePosition& place) {
             Body one = allocate;
             append(one, whole_product(place));
             return one;
           }));
    if (row_tile_ == nullptr) body = around(std::move(ranges), around(std::move(m), std::move(body)));
    append(all, std::move(body));
    return all;
  }

  /// Returns a loop over ranges of rows, of which each core computes one, if they are not those of a tile.
  Loop open_ranges() {
    Loop ranges = builder_.open("rows", LoopKind::core, axes_.m.extent, plan_.rows);
    if (row_tile_ == nullptr) ranges.range_end = range_end_ = builder_.lowering.next_loop++;
    return ranges;
  }

  /// Returns one block of k after the other for all tiles of a group of rows and a block of columns, each
  /// tile's sum added to its total; with the last block come the epilogues.
  Body row_groups(const Index& column) {
    const Index zero = constant_index(0);
    Loop ranges = open_ranges();
    const std::int64_t down = plan_.row_group / plan_.rows, across = plan_.column_block / plan_.columns;
    Body body = sums_.add_totals(down, across);
    Loop group = builder_.open("group", LoopKind::serial, axes_.m.extent, plan_.row_group);
    const Index first = variable(ranges.id) + variable(group.id);
    if (row_tile_ == nullptr) group.bounds.push_back(row_bound(first));
    const RowRange all{row_tile_ != nullptr ? row_tile_->first : first, zero, plan_.row_group};
    Loop k = builder_.open("k_block", LoopKind::serial, axes_.k.extent, *plan_.k_block);
    const Index first_k = variable(k.id);
    Body block = pack_right(column, first_k);
    Loop m = builder_.open("m", LoopKind::serial, plan_.row_group / plan_.row_block);
    const Index row = all.row + variable(m.id) * plan_.row_block;
    m.bounds.push_back(row_bound(row));
    Body rows = pack_left(row, first_k);
    const RowRange range{row, variable(m.id) * (plan_.row_block / plan_.rows), plan_.row_block};
    append(rows,
           tiles(range, {column}, [&](const TilePosition& place) { return block_of_tile(place, first_k); }));
    append(block, around(std::move(m), std::move(rows)));
    append(body, around(std::move(k), std::move(block)));
    if (!axes_.k.extent.constant())
      append(body, nest_.where("no_terms", {constant_index(axes_.k.extent), 1},
                               tiles(all, {column}, [&](const TilePosition& place) {
                                 Body one;
                                 one.push_back({sums_.begin_total(place)});
                                 append(one, epilogue(place));
                                 return one;
                               })));
    if (row_tile_ != nullptr) return body;
    return around(std::move(ranges), around(std::move(group), std::move(body)));
  }

  /// Says that the row is one of the range that this core computes, if there are ranges, else one of all.
  Bound row_bound(const Index& row) const {
    if (!range_end_) return {row, axes_.m.extent};
    return {row + less(axes_.m.extent, variable(*range_end_)), axes_.m.extent};
  }

  Body pack_left(const Index& row, const Index& first_k) {
    if (plan_.left_direct) return {};
    return make_packer().pack({stage_.contraction->left,
                               axes_.m,
                               row,
                               plan_.rows,
                               plan_.row_block,
                               left_panel_,
                               first_k,
                               depth_,
                               false,
                               nullptr,
                               {},
                               {},
                               range_end_});
  }
  Body pack_right(const Index& column, const Index& first_k) {
    if (plan_.right_direct || is_packed_before()) return {};
    return make_packer().pack({stage_.contraction->right, axes_.n, column, plan_.columns, plan_.column_block,
                               right_panel_, first_k, depth_, true});
  }

  /// Returns whether the tiles of a row of a block follow each other, so that the results are written along
  /// rows of memory. Else those of a column do, which read the same panel of the right operand.
  bool goes_along_rows() const {
    const auto terms = axes_.k.extent.constant();
    return sums_.is_result() && (!terms || *terms <= few_terms);
  }

  template <typename Of>
  Body tiles(const RowRange& range, const ColumnBlock& block, Of of) {
    Loop j = builder_.open("j", LoopKind::serial, plan_.column_block / plan_.columns);
    Loop i = builder_.open("i", LoopKind::serial, range.size / plan_.rows);
    const Index column = block.column + variable(j.id) * plan_.columns;
    const Index row = range.row + variable(i.id) * plan_.rows;
    j.bounds.push_back({column, axes_.n.extent});
    i.bounds.push_back(row_bound(row));
    Body body = of(TilePosition{variable(i.id), variable(j.id), range.number + variable(i.id),
                                block.number + variable(j.id), row, column, block.column});
    if (goes_along_rows()) std::swap(i, j);
    return around(std::move(j), around(std::move(i), std::move(body)));
  }

  /// Returns the tile's sums over all of k, and what is computed from them. Where a tile is whole, they need
  /// not be in memory between the two.
  Body whole_product(const TilePosition& place) {
    const Index zero = constant_index(0);
    if (sums_.is_result()) return product(place, zero);
    const auto both = [&](bool is_whole) {
      Body body = product(place, zero, is_whole);
      append(body, nest_.finish_tile(sums_of(place), builder_.outer, is_whole));
      return body;
    };
    if (!nest_.treats_whole_tiles(axes_.n)) return both(false);
    return nest_.by_wholeness(sums_of(place), both);
  }

  /// Returns the tile's sums over the block of k from `first_k` on. All of the tile's rows and columns are
  /// there if `is_whole`.
  Body product(const TilePosition& place, const Index& first_k, bool is_whole = false) {
    if (is_whole) return rows_of_product(place, first_k, plan_.rows, constant_index(plan_.rows), true);
    return nest_.for_rows(place.row, [&](std::int64_t rows, const Index& there) {
      return rows_of_product(place, first_k, rows, there, false);
    });
  }

  /// Returns the sums of the tile's first `rows` rows, of which so many are there.
  Body rows_of_product(const TilePosition& place, const Index& first_k, std::int64_t rows, const Index& there,
                       bool is_whole) {
    const Index zero = constant_index(0);
    MultiplyAccumulate multiply;
    multiply.to = sums_.tile_at(place, rows);
    multiply.arithmetic = plan_.k_block ? Arithmetic::apart : Arithmetic::fused;
    multiply.anew = Bound{first_k, 1};
    multiply.left = plan_.left_direct ? direct(*plain_access(stage_, stage_.contraction->left), axes_.m,
                                               place.row, rows, first_k)
                                      : Tile{left_panel_, {place.inside, zero, zero}, {1, depth_, rows}, {}};
    multiply.right = plan_.right_direct ? direct(*plain_access(stage_, stage_.contraction->right), axes_.n,
                                                 place.column, plan_.columns, first_k)
                     : is_packed_before()
                         ? Tile{right_panel_, {tile_of(place), first_k, zero}, {1, depth_, plan_.columns}, {}}
                         : Tile{right_panel_, {place.j, zero, zero}, {1, depth_, plan_.columns}, {}};
    multiply.rows = there;
    const auto constant = axes_.n.extent.constant();
    const bool all = is_whole || !plan_.right_direct || (constant && *constant % plan_.columns == 0);
    multiply.columns = all ? constant_index(plan_.columns) : less(axes_.n.extent, place.column);
    multiply.count = less(axes_.k.extent, first_k);
    multiply.ahead = ahead(place, first_k);
    Body one;
    one.push_back({std::move(multiply)});
    return one;
  }

  /// Returns what is fetched while this tile is computed.
  std::optional<Tile> ahead(const TilePosition& place, const Index& first_k) const {
    if (!plan_.fetches_ahead) return {};
    const FetchingTile tile{place.inside, place.j, place.block, first_k};
    return is_packed_before() ? next_panel(nest_, right_panel_, tile_of(place), tile)
                              : next_block(nest_, tile);
  }

  /// Returns a block of k of one tile. The last one ends with the epilogue, while the total is in the nearest
  /// cache.
  Body block_of_tile(const TilePosition& place, const Index& first_k) {
    Body body = product(place, first_k);
    if (!sums_.is_result())
      append(body, nest_.where("last", {less(axes_.k.extent - 1, first_k), *plan_.k_block}, epilogue(place)));
    return body;
  }

  /// Returns the tile's number among all tiles of columns.
  Index tile_of(const TilePosition& place) const {
    return kernel::floor_divide(place.column, plan_.columns, {});
  }

  ProductNest::Sums sums_of(const TilePosition& place) const {
    return {sums_.sums_at(place), constant_index(0), axes_.m, place.row, plan_.rows, axes_.n, place.column};
  }
  Body epilogue(const TilePosition& place) { return nest_.finish(sums_of(place), builder_.outer); }

  ProductNest nest_;
  ContractionBuilder& builder_ = nest_.builder;
  const Stage& stage_ = nest_.stage;
  const ProductPlan& plan_ = nest_.plan;
  const ProductAxes& axes_ = nest_.axes;
  const RowTile* row_tile_;  ///< the rows that are computed; null if it is all of them
  PlaceOfSums sums_;
  Extent depth_;                     ///< of a block of k
  std::optional<LoopId> range_end_;  ///< the end of the range of rows that a core computes
  BufferId left_panel_ = 0, right_panel_ = 0;
};

}  // namespace

Accumulation accumulate_product(CpuLowering& lowering, const Stage& own, const Renaming& outer,
                                const ProductPlan& plan, const Index& first) {
  return ProductBuilder(lowering, own, outer, plan, nullptr).accumulate(first);
}

Body pack_right(CpuLowering& lowering, const Stage& stage, const Renaming& outer, const ProductPlan& plan,
                RowTile& tile) {
  return ProductBuilder(lowering, stage, outer, plan, nullptr).pack_right(tile);
}

Body schedule_product(CpuLowering& lowering, const Stage& stage, const Renaming& outer,
                      const ProductPlan& plan, const RowTile* tile) {
  switch (plan.form) {
    case ProductForm::panels:
      return ProductBuilder(lowering, stage, outer, plan, tile).build();
    case ProductForm::streamed:
      return schedule_streamed_product(lowering, stage, outer, plan, tile);
    case ProductForm::rows_of_columns:
      return schedule_rows_product(lowering, stage, outer, plan);
    case ProductForm::lines:
    case ProductForm::sliding_lines:
      return schedule_lines_product(lowering, stage, outer, plan);
    case ProductForm::lanes_along_k:
      return schedule_lanes_product(lowering, stage, outer, plan);
    case ProductForm::pixels:
      return schedule_pixels_product(lowering, stage, outer, plan);
    case ProductForm::windows:
      return schedule_windows_product(lowering, stage, outer, plan);
  }
  dlvm::internal_error("a product without a form");
}

}  // namespace codegen::schedule::cpu
