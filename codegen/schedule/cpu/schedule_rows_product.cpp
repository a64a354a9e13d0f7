// Products whose columns are the points of several axes, as those of convolutions: the columns are rows of
// memory one after the other (memory_rows.h). A block of k of the right operand is packed for a block of
// columns, then all blocks of rows of the result use it; sums of blocks of k are added to totals as
// schedule_product.cpp does. Where there are fewer terms than rows, a block of columns is packed for all of k
// instead, and each block of rows goes through all of k before the next one: the packed terms stay in the
// cache rather than all of the sums.
// Different cores compute blocks of columns and, in these, ranges of rows. Cores that compute ranges
// of the same columns pack these each for itself.
#include <algorithm>

#include "codegen/schedule/cpu/last_columns.h"
#include "codegen/schedule/cpu/memory_rows.h"
#include "codegen/schedule/cpu/operand_packer.h"
#include "codegen/schedule/cpu/product_nest.h"
#include "codegen/schedule/cpu/schedule_stage.h"

namespace codegen::schedule::cpu {
namespace {

using kernel::Stage;

/// The results of a block of columns are fetched before they are computed if their sums take so many bytes at
/// most.
constexpr std::int64_t prefetched_bytes = 512 << 10;

class RowsProductBuilder {
 public:
  RowsProductBuilder(CpuLowering& lowering, const Stage& stage, const Renaming& outer,
                     const ProductPlan& plan)
      : nest_(lowering, stage, outer, plan),
        split_(split_k(nest_.axes.k)),
        depth_(plan.k_block ? Extent(*plan.k_block) : nest_.axes.k.extent),
        ragged_(plan.k_block && nest_.axes.k.extent.constant().value_or(1) % *plan.k_block != 0),
        rows_(axes_.n, line_of_columns(stage, lowering.schedule.buffers, axes_.n), nest_.lanes()),
        results_(axes_.n, line_of_results(stage, lowering.schedule.buffers, axes_.n), nest_.lanes()),
        last_(nest_) {}

  Body build() {
    return nest_.in_batch([&] { return columns(); });
  }

 private:
  Body columns() {
    const std::int64_t across = plan_.column_block / plan_.columns, down = plan_.row_block / plan_.rows;
    if (!plan_.k_block) tile_ = nest_.add_panel("tile", {plan_.rows, plan_.columns});
    right_ = nest_.add_panel("right", {across, packed_terms(), plan_.columns});
    left_ = nest_.add_panel("left", {down, depth_, nest_.whole_vectors(plan_.rows)});
    Loop n = builder_.open("n", LoopKind::core, axes_.n.extent, plan_.column_block);
    const Index column = variable(n.id);
    Body body;
    body.push_back({Allocate{right_}});
    body.push_back({Allocate{left_}});
    if (plan_.k_block) {
      const Extent kept = plan_.right_kept ? Extent(1) : row_blocks();
      totals_ = nest_.add_panel("totals", {kept * Extent(down), across, plan_.rows, plan_.columns});
      body.push_back({Allocate{totals_}});
    }
    if (last_.exist())
      append(body,
             last_.allocate(plan_.k_block ? nest_.lowering.schedule.buffers[totals_].shape[0] : Extent(1)));
    append(body, !plan_.k_block     ? chains(column)
                 : plan_.right_kept ? kept_columns(column)
                                    : kept_totals(column));
    return around(std::move(n), std::move(body));
  }

  Extent row_blocks() const {
    return Extent::floor_divide(axes_.m.extent + (plan_.row_block - 1), plan_.row_block);
  }
  /// Returns the terms of the right operand's panel. Squares of vectors, of which the last may end behind the
  /// terms, are transposed into it.
  Extent packed_terms() const {
    const auto depth = plan_.right_rows ? std::nullopt : depth_.constant();
    return depth_ * (k_blocks() - 1) + (depth ? Extent(nest_.whole_vectors(*depth)) : depth_);
  }
  /// Returns the number of blocks of k that the right operand's panel has.
  Extent k_blocks() const {
    if (!plan_.right_kept) return 1;
    return Extent::floor_divide(axes_.k.extent + (*plan_.k_block - 1), *plan_.k_block);
  }

  /// A block of columns where each element is one chain over k.
  Body chains(const Index& column) {
    const Index zero = constant_index(0);
    Body body = pack_right(column, zero);
    append(body, in_ranges([&] {
             return in_row_blocks([&](const RowBlock& block) { return products(column, zero, block); });
           }));
    return body;
  }

  /// A block of columns whose sums are all kept while one block of k after the other is packed.
  Body kept_totals(const Index& column) {
    return in_ranges([&] {
      Body body = in_row_blocks([&](const RowBlock& block) { return clear_totals(column, block); });
      append(body, in_k_blocks([&](const Index& first) {
               Body block = pack_right(column, first);
               append(block,
                      in_row_blocks([&](const RowBlock& rows) { return products(column, first, rows); }));
               return block;
             }));
      append(body, in_row_blocks([&](const RowBlock& block) { return epilogues(column, block); }));
      return body;
    });
  }

  /// A block of columns that is packed for all of k and kept while one block of rows after the other is
  /// computed.
  Body kept_columns(const Index& column) {
    Body body = in_k_blocks([&](const Index& first) { return pack_right(column, first); });
    append(body, in_ranges([&] {
             return in_row_blocks([&](const RowBlock& block) {
               Body rows = clear_totals(column, block);
               append(rows, in_k_blocks([&](const Index& first) { return products(column, first, block); }));
               append(rows, epilogues(column, block));
               return rows;
             });
           }));
    return body;
  }

  /// Some rows of the result.
  struct RowBlock {
    Index row;     ///< the first one
    Index number;  ///< of its tile among the tiles of the range that a core computes
  };

  /// Returns what `of` makes of a range of rows, which are those that a core computes.
  template <typename Of>
  Body in_ranges(Of of) {
    Loop ranges = builder_.open("rows", LoopKind::core, axes_.m.extent, plan_.rows);
    ranges.range_end = range_end_ = builder_.lowering.next_loop++;
    range_ = variable(ranges.id);
    Body body = of();
    return around(std::move(ranges), std::move(body));
  }
  /// Returns what `of` makes of each block of rows of the range.
  template <typename Of>
  Body in_row_blocks(Of of) {
    Loop m = builder_.open("m", LoopKind::serial, axes_.m.extent, plan_.row_block);
    const Index row = range_ + variable(m.id);
    m.bounds.push_back(row_bound(row));
    Body body = of(RowBlock{
        row, kernel::quotient_index({Index::Quotient::Kind::floor, variable(m.id), Extent(plan_.rows)})});
    return around(std::move(m), std::move(body));
  }
  /// Says that the row is one of the range.
  Bound row_bound(const Index& row) const {
    return {row + less(axes_.m.extent, variable(range_end_)), axes_.m.extent};
  }
  /// Returns what `of` makes of each block of k, whose first step of the outer part of k it takes.
  template <typename Of>
  Body in_k_blocks(Of of) {
    Loop k = builder_.open("k_block", LoopKind::serial, split_.outer.extent, *plan_.k_block / split_.size);
    Body body = of(variable(k.id));
    return around(std::move(k), std::move(body));
  }

  Body clear_totals(const Index& column, const RowBlock& block) {
    return tiles(column, block, [&](const TilePosition& place) {
      const Index zero = constant_index(0);
      const Tile total{totals_, {place.i, place.j, zero, zero}, {1, 1, plan_.rows, plan_.columns}, {}};
      Body one;
      one.push_back({Fill{total, stage_.reduction->identity[0]}});
      append(one, in_last_columns(place, [&](const Index& number) { return last_.clear(number); }));
      return one;
    });
  }

  Body epilogues(const Index& column, const RowBlock& block) {
    return tiles(
        column, block,
        [&](const TilePosition& place) { return epilogue(place, {totals_, {place.i, place.j}}); }, true);
  }

  /// The tiles of a block of rows over one block of k, which begins at step `first` of the outer part of k.
  Body products(const Index& column, const Index& first, const RowBlock& block) {
    const Index first_k = first * Extent(split_.size);
    OperandPacker packer(nest_.lowering, stage_, builder_.outer, axes_.k, ragged_);
    Body body = packer.pack({stage_.contraction->left,
                             axes_.m,
                             block.row,
                             plan_.rows,
                             plan_.row_block,
                             left_,
                             first_k,
                             depth_,
                             false,
                             &split_,
                             {},
                             {},
                             range_end_});
    const auto sums = [&](const TilePosition& place) {
      Body one = product(place, first_k);
      if (!plan_.k_block) append(one, epilogue(place, {tile_, {}}));
      return one;
    };
    append(body, tiles(column, block, sums, !plan_.k_block));
    return body;
  }

  /// A tile: its number among the totals, down, in its block, down, and in the block of columns; its first
  /// element.
  struct TilePosition {
    Index i, inside, j, row, column;
  };

  /// Returns what `of` makes of each tile of a block of rows. `along_rows`: tiles follow each other along the
  /// rows of the result, so that few rows are written at a time and the processor fetches the next lines of
  /// each.
  template <typename Of>
  Body tiles(const Index& column_block, const RowBlock& block, Of of, bool along_rows = false) {
    const std::int64_t down = plan_.row_block / plan_.rows;
    Loop j = builder_.open("j", LoopKind::serial, plan_.column_block / plan_.columns);
    Loop i = builder_.open("i", LoopKind::serial, down);
    const Index column = column_block + variable(j.id) * Extent(plan_.columns);
    const Index row = block.row + variable(i.id) * Extent(plan_.rows);
    j.bounds.push_back({column, axes_.n.extent});
    i.bounds.push_back(row_bound(row));
    const Index number = plan_.right_kept ? variable(i.id) : block.number + variable(i.id);
    Body body = of(TilePosition{number, variable(i.id), variable(j.id), row, column});
    if (along_rows) std::swap(i, j);
    return around(std::move(j), around(std::move(i), std::move(body)));
  }

  Body product(const TilePosition& place, const Index& first_k) {
    Body body;
    append(body, prefetch(place, first_k));
    if (!plan_.k_block) {
      const Index zero = constant_index(0);
      body.push_back({Allocate{tile_}});
      body.push_back(
          {Fill{{tile_, {zero, zero}, {plan_.rows, plan_.columns}, {}}, stage_.reduction->identity[0]}});
    }
    append(body, nest_.for_rows(place.row, [&](std::int64_t rows, const Index& there) {
      return multiply(place, first_k, {rows, there});
    }));
    append(body, in_last_columns(place,
                                 [&](const Index& number) { return multiply_last(place, number, first_k); }));
    return body;
  }

  /// Lets the processor fetch the lines of the tile's results while its last terms, those from `first_k` on,
  /// are added: rows of the result are far apart.
  Body prefetch(const TilePosition& place, const Index& first_k) {
    Body rows;
    for (const kernel::Store& store : stage_.stores)
      if (!has_loaded(store.access))
        append(rows, results_.prefetch(nest_, store.access, place.row, place.column));
    if (!plan_.k_block || rows.empty()) return rows;
    const auto sums = element_count(nest_.lowering.schedule.buffers[totals_]).constant();
    const std::int64_t bytes = sums.value_or(prefetched_bytes) * dlvm::info(builder_.type).bytes;
    if (bytes > prefetched_bytes) return {};
    return nest_.where("last_block", {first_k + constant_index(depth_ - axes_.k.extent), depth_},
                       std::move(rows));
  }

  /// The rows of a tile, and how many of them are there.
  struct TileRows {
    std::int64_t rows;
    Index there;
  };

  Body multiply(const TilePosition& place, const Index& first_k, const TileRows& rows) {
    const auto all = axes_.n.extent.constant();
    if (const std::int64_t rest = all ? *all % plan_.columns : 0; rest == 0 || rest > nest_.lanes())
      return multiply(place, first_k, rows, plan_.columns);
    // The columns of the last tile fit one vector.
    Body body = nest_.where("whole", {less(*all - nest_.lanes() - 1, place.column), *all},
                            multiply(place, first_k, rows, plan_.columns));
    if (!last_.exist())
      append(body, nest_.where("narrow", last_vector(place), multiply(place, first_k, rows, nest_.lanes())));
    return body;
  }
  /// Returns when the tile is the last one of the columns, whose columns fit one vector.
  Bound last_vector(const TilePosition& place) const {
    return {place.column + constant_index(Extent(nest_.lanes()) - axes_.n.extent), nest_.lanes()};
  }

  /// Returns what `of` makes of the tile if it is the last one of the columns and these are rows there.
  template <typename Of>
  Body in_last_columns(const TilePosition& place, Of of) {
    if (!last_.exist()) return {};
    return nest_.where("narrow", last_vector(place), of(plan_.k_block ? place.i : constant_index(0)));
  }

  Body multiply_last(const TilePosition& place, const Index& number, const Index& first_k) {
    const Index zero = constant_index(0);
    Body body = plan_.k_block ? Body{} : last_.clear(number);
    append(body, nest_.for_rows(place.row, [&](std::int64_t, const Index& there) {
      return last_.multiply(number, {left_, {place.inside, zero, zero}},
                            {right_, {place.j, first_term(first_k), zero}},
                            {there, less(axes_.k.extent, first_k)});
    }));
    return body;
  }

  Body multiply(const TilePosition& place, const Index& first_k, const TileRows& rows, std::int64_t columns) {
    const Index zero = constant_index(0);
    MultiplyAccumulate multiply;
    multiply.to = {tile_, {zero, zero}, {rows.rows, columns}, {}};
    if (plan_.k_block) {
      multiply.to = {totals_, {place.i, place.j, zero, zero}, {1, 1, rows.rows, columns}, {}};
      multiply.arithmetic = Arithmetic::apart;
    }
    multiply.left = {left_, {place.inside, zero, zero}, {1, depth_, rows.rows}, {}};
    multiply.right = {right_, {place.j, first_term(first_k), zero}, {1, depth_, columns}, {}};
    multiply.rows = rows.there;
    multiply.columns = constant_index(columns);
    multiply.count = less(axes_.k.extent, first_k);
    Body body;
    body.push_back({std::move(multiply)});
    return body;
  }

  /// Returns the place of term `first_k` in the right operand's panel, if that is the first one of a block.
  Index first_term(const Index& first_k) const { return plan_.right_kept ? first_k : constant_index(0); }

  Body pack_right(const Index& column, const Index& first) {
    const Index first_k = first * Extent(split_.size);
    const PackedOperand right{stage_.contraction->right,
                              axes_.n,
                              column,
                              plan_.columns,
                              plan_.column_block,
                              right_,
                              first_k,
                              depth_,
                              true,
                              &split_,
                              constant_index(0),
                              first_term(first_k)};
    if (plan_.right_rows) return rows_.pack(builder_, right, ragged_);
    return OperandPacker(nest_.lowering, stage_, builder_.outer, axes_.k, ragged_).pack(right);
  }

  /// `tile`: where the sums are; the element's place in the tile is appended.
  Body epilogue(const TilePosition& place, const Access& tile) {
    Body all = in_last_columns(place, [&](const Index& number) { return last_.move(number, tile); });
    append(all, nest_.repeat({tile, constant_index(0), axes_.m, place.row, plan_.rows, axes_.n, place.column},
                             builder_.outer));
    Loop copy = builder_.open("copy", LoopKind::unrolled, plan_.columns / nest_.lanes());
    const Index first = place.column + variable(copy.id) * Extent(nest_.lanes());
    Body rows;
    for (std::int64_t number = 0; number < results_.per_vector(); ++number) {
      Loop i = builder_.open("row", LoopKind::serial, plan_.rows);
      Loop lane = builder_.open("lane", LoopKind::vector, nest_.lanes());
      const Index row = place.row + variable(i.id);
      i.bounds.push_back({row, axes_.m.extent});
      Renaming renaming = builder_.outer;
      axes_.m.bind(row, renaming);
      builder_.within = results_.bind(first, variable(lane.id), number, renaming);
      Access from = tile;
      from.indices.push_back(variable(i.id));
      from.indices.push_back(variable(copy.id) * Extent(nest_.lanes()) + variable(lane.id));
      Body body;
      builder_.finish(from, renaming, body);
      builder_.within.clear();
      body = around(std::move(i), around(std::move(lane), std::move(body)));
      append(rows, number > 0 && results_.are_long()
                       ? nest_.where("next", results_.crosses(first), std::move(body))
                       : std::move(body));
    }
    append(all, around(std::move(copy), std::move(rows)));
    return all;
  }

  ProductNest nest_;
  ContractionBuilder& builder_ = nest_.builder;
  const Stage& stage_ = nest_.stage;
  const ProductPlan& plan_ = nest_.plan;
  const ProductAxes& axes_ = nest_.axes;
  SplitAxes split_;            ///< of k
  Extent depth_;               ///< of a block of k
  bool ragged_;                ///< the last block of k is shorter
  MemoryRows rows_, results_;  ///< the columns as rows of the right operand, and of the results
  LastColumns last_;
  Index range_;           ///< the first row of the range that a core computes
  LoopId range_end_ = 0;  ///< the end of these rows
  BufferId tile_ = 0, totals_ = 0, left_ = 0, right_ = 0;
};

}  // namespace

Body schedule_rows_product(CpuLowering& lowering, const Stage& stage, const Renaming& outer,
                           const ProductPlan& plan) {
  return RowsProductBuilder(lowering, stage, outer, plan).build();
}

}  // namespace codegen::schedule::cpu
