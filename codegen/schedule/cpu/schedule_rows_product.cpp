// Products whose columns are the points of several axes, as those of convolutions: the columns are rows of
// memory one after the other. A block of k of the right operand is packed for a block of columns, then all
// blocks of rows of the result use it; sums of blocks of k are added to totals as schedule_product.cpp does.
// A vector of columns is the end of one row, maybe whole rows, and the beginning of another: its elements are
// loaded from each row under a mask, and the results are stored to each in the same way, so that every access
// is contiguous where memory is. The loop over k that is innermost when packing leaves rows and masks alone.
#include <algorithm>

#include "codegen/schedule/cpu/operand_packer.h"
#include "codegen/schedule/cpu/product_nest.h"
#include "codegen/schedule/cpu/schedule_stage.h"

namespace codegen::schedule::cpu {
namespace {

using kernel::Axis;
using kernel::Stage;

/// Vectors in a row of memory from which on a test whether a vector is in one row costs less than an access
/// to the next row under a mask without lanes.
constexpr std::int64_t long_line_vectors = 4;

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
        ragged_(plan.k_block && nest_.axes.k.extent.constant().value_or(1) % *plan.k_block != 0) {
    line_ = line_of_columns(stage, lowering.schedule.buffers, axes_.n);
    for (std::size_t i = 0; i + line_.axes.size() < axes_.n.axes.size(); ++i) rows_.add(*axes_.n.axes[i]);
  }

  Body build() {
    return nest_.in_batch([&] { return columns(); });
  }

 private:
  Body columns() {
    const std::int64_t across = plan_.column_block / plan_.columns, down = plan_.row_block / plan_.rows;
    const Extent row_blocks = Extent::floor_divide(axes_.m.extent + (plan_.row_block - 1), plan_.row_block);
    if (!plan_.k_block) tile_ = nest_.add_panel("tile", {plan_.rows, plan_.columns});
    // Squares of vectors, of which the last may end behind the terms, are transposed into the panel.
    const Extent terms =
        depth_.constant() && !plan_.right_rows ? nest_.whole_vectors(*depth_.constant()) : depth_;
    right_ = nest_.add_panel("right", {across, terms, plan_.columns});
    left_ = nest_.add_panel("left", {down, depth_, nest_.whole_vectors(plan_.rows)});
    Loop n = builder_.open("n", LoopKind::serial, axes_.n.extent, plan_.column_block);
    const Index column = variable(n.id);
    Body body;
    body.push_back({Allocate{right_}});
    body.push_back({Allocate{left_}});
    if (!plan_.k_block) {
      append(body, pack_right(column, constant_index(0)));
      append(body, products(column, constant_index(0), row_blocks));
      return around(std::move(n), std::move(body));
    }
    totals_ = nest_.add_panel("totals", {row_blocks * Extent(down), across, plan_.rows, plan_.columns});
    body.push_back({Allocate{totals_}});
    append(body, tiles(column, row_blocks, [&](const TilePosition& place) {
             Body one;
             one.push_back({Fill{total_of(place), stage_.reduction->identity[0]}});
             return one;
           }));
    Loop k = builder_.open("k_block", LoopKind::serial, split_.outer.extent, *plan_.k_block / split_.size);
    const Index first = variable(k.id);
    Body block = pack_right(column, first);
    append(block, products(column, first, row_blocks));
    append(body, around(std::move(k), std::move(block)));
    append(body, tiles(column, row_blocks, [&](const TilePosition& place) {
             return epilogue(place, {totals_, {place.i, place.j}});
           }));
    return around(std::move(n), std::move(body));
  }

  /// Tiles of all blocks of rows over one block of k, which begins at step `first` of the outer part of k.
  Body products(const Index& column, const Index& first, const Extent& row_blocks) {
    const Index first_k = first * Extent(split_.size);
    Loop m = builder_.open("m", LoopKind::serial, row_blocks);
    const Index block = variable(m.id);
    OperandPacker packer(nest_.lowering, stage_, builder_.outer, axes_.k, ragged_);
    Body body = packer.pack({stage_.contraction->left, axes_.m, block * Extent(plan_.row_block), plan_.rows,
                             plan_.row_block, left_, first_k, depth_, false, &split_});
    append(body, tiles_of_block(column, block, [&](const TilePosition& place) {
             Body one = product(place, first_k);
             if (!plan_.k_block) append(one, epilogue(place, {tile_, {}}));
             return one;
           }));
    return around(std::move(m), std::move(body));
  }

  /// A tile: its number in the result, down, in its block, down, and in the block of columns; its first
  /// element.
  struct TilePosition {
    Index i, inside, j, row, column;
  };

  template <typename Of>
  Body tiles(const Index& column_block, const Extent& row_blocks, Of of) {
    Loop m = builder_.open("m", LoopKind::serial, row_blocks);
    Body body = tiles_of_block(column_block, variable(m.id), of);
    return around(std::move(m), std::move(body));
  }

  template <typename Of>
  Body tiles_of_block(const Index& column_block, const Index& block, Of of) {
    const std::int64_t down = plan_.row_block / plan_.rows;
    Loop j = builder_.open("j", LoopKind::serial, plan_.column_block / plan_.columns);
    Loop i = builder_.open("i", LoopKind::serial, down);
    const Index column = column_block + variable(j.id) * Extent(plan_.columns);
    const Index row = block * Extent(plan_.row_block) + variable(i.id) * Extent(plan_.rows);
    j.bounds.push_back({column, axes_.n.extent});
    i.bounds.push_back({row, axes_.m.extent});
    Body body =
        of(TilePosition{block * Extent(down) + variable(i.id), variable(i.id), variable(j.id), row, column});
    // Tiles whose results go to memory follow each other along its rows, so that few rows are written at a
    // time and the processor fetches the next lines of each.
    if (!plan_.k_block) std::swap(i, j);
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
    return body;
  }

  /// Lets the processor fetch the lines of the tile's results while its last terms, those from `first_k` on,
  /// are added: rows of the result are far apart.
  Body prefetch(const TilePosition& place, const Index& first_k) {
    Body rows;
    for (const kernel::Store& store : stage_.stores)
      if (!has_loaded(store.access)) append(rows, prefetch(place, store.access));
    if (!plan_.k_block || rows.empty()) return rows;
    const auto sums = element_count(nest_.lowering.schedule.buffers[totals_]).constant();
    const std::int64_t bytes = sums.value_or(prefetched_bytes) * dlvm::info(builder_.type).bytes;
    if (bytes > prefetched_bytes) return {};
    return nest_.where("last_block", {first_k + constant_index(depth_ - axes_.k.extent), depth_},
                       std::move(rows));
  }

  Body prefetch(const TilePosition& place, const Access& result) {
    Loop i = builder_.open("row", LoopKind::serial, plan_.rows);
    const Index row = place.row + variable(i.id);
    i.bounds.push_back({row, axes_.m.extent});
    Renaming renaming = builder_.outer;
    axes_.m.bind(row, renaming);
    const Layout& layout = nest_.lowering.schedule.buffers[result.buffer].layout;
    const auto step = stride(offset(result, layout), axes_.n.axes.back()->id);
    const std::int64_t lines = step && step->constant() == 2 ? 2 : 1;  // of a vector
    const std::int64_t elements = std::max<std::int64_t>(nest_.lanes() / lines, 1);
    Loop part = builder_.open("part", LoopKind::unrolled, plan_.columns, elements);
    bind_row(place.column + variable(part.id), constant_index(0), 0, renaming);
    Body body;
    body.push_back({Prefetch{rename(result, renaming)}});
    return around(std::move(i), around(std::move(part), std::move(body)));
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
    append(body, nest_.where("narrow", {place.column + constant_index(nest_.lanes() - *all), nest_.lanes()},
                             multiply(place, first_k, rows, nest_.lanes())));
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
    multiply.right = {right_, {place.j, zero, zero}, {1, depth_, columns}, {}};
    multiply.rows = rows.there;
    multiply.columns = constant_index(columns);
    multiply.count = less(axes_.k.extent, first_k);
    Body body;
    body.push_back({std::move(multiply)});
    return body;
  }

  Tile total_of(const TilePosition& place) const {
    const Index zero = constant_index(0);
    return {totals_, {place.i, place.j, zero, zero}, {1, 1, plan_.rows, plan_.columns}, {}};
  }

  // Rows of memory.

  /// Binds the axes of n to column first + lane, and returns when it is in the row of memory that has one of
  /// the vector's columns: of rows_of_vector() ones evenly apart, the one of this number. These are so close
  /// that no row is left out, and no row is outside of memory while its columns are not.
  std::vector<Bound> bind_row(const Index& first, const Index& lane, std::int64_t number,
                              Renaming& renaming) {
    using Kind = Index::Quotient::Kind;
    const std::int64_t column = number == 0 ? 0 : number * (nest_.lanes() - 1) / (rows_of_vector() - 1);
    const Index at = first + constant_index(column);
    const Index inside =
        kernel::quotient_index({Kind::modulo, at, line_.extent}) + lane + constant_index(-column);
    const Index row = kernel::quotient_index({Kind::floor, at, line_.extent});
    // Behind the last column is row 0 again: no address is outside of memory, which would be slow though
    // masked.
    if (!rows_.axes.empty()) rows_.bind(kernel::quotient_index({Kind::modulo, row, rows_.extent}), renaming);
    line_.bind(inside, renaming);
    return {{inside, line_.extent}, {row, rows_.extent}};
  }
  /// Returns how many rows a vector of columns may meet.
  std::int64_t rows_of_vector() const {
    const std::int64_t length = *line_.extent.constant();
    return rows_.extent.is(1) ? 1 : (nest_.lanes() + length - 2) / length + 1;
  }

  /// Whether few vectors of columns are in more than one row of memory.
  bool has_long_lines() const { return *line_.extent.constant() >= long_line_vectors * nest_.lanes(); }
  /// Returns when the vector of columns from `first` on is in more than one row of memory.
  Bound crosses_line(const Index& first) const {
    const Index inside = kernel::quotient_index({Index::Quotient::Kind::modulo, first, line_.extent});
    return {inside + constant_index(nest_.lanes() - 1 - *line_.extent.constant()), nest_.lanes()};
  }

  Body pack_right(const Index& column, const Index& first) {
    if (!plan_.right_rows) {
      OperandPacker packer(nest_.lowering, stage_, builder_.outer, axes_.k, ragged_);
      return packer.pack({stage_.contraction->right, axes_.n, column, plan_.columns, plan_.column_block,
                          right_, first * Extent(split_.size), depth_, true, &split_});
    }
    Loop part = builder_.open("part", LoopKind::serial, plan_.column_block / plan_.columns);
    Loop copy = builder_.open("copy", LoopKind::unrolled, plan_.columns / nest_.lanes());
    const Index first_of_part = column + variable(part.id) * Extent(plan_.columns);
    const Index first_column = first_of_part + variable(copy.id) * Extent(nest_.lanes());
    part.bounds.push_back({first_of_part, axes_.n.extent});
    Renaming renaming = builder_.outer;
    std::vector<Loop> taps;
    Index term = constant_index(0);
    for (const Axis* axis : split_.inner) {
      taps.push_back(builder_.open(axis->name.c_str(), LoopKind::serial, axis->extent));
      renaming.axes[axis->id] = variable(taps.back().id);
      term = term * axis->extent + variable(taps.back().id);
    }
    const Extent steps = plan_.k_block ? Extent(*plan_.k_block / split_.size) : split_.outer.extent;
    Loop step = builder_.open("step", LoopKind::serial, steps);
    const Index at = first + variable(step.id);
    if (ragged_) step.bounds.push_back({at, split_.outer.extent});
    split_.outer.bind(at, renaming);
    Loop lane = builder_.open("lane", LoopKind::vector, nest_.lanes());
    Body body;
    const auto& load = std::get<Scalar::Load>(stage_.body[stage_.contraction->right].definition);
    ValueId value = builder_.let({builder_.type, Scalar::Literal{dlvm::Tensor(builder_.type, {})}}, body);
    for (std::int64_t row = 0; row < rows_of_vector(); ++row) {
      std::vector<Bound> bounds = bind_row(first_column, variable(lane.id), row, renaming);
      Scalar::Load one{rename(load.access, renaming), rename(load.bounds, renaming), value};
      one.bounds.insert(one.bounds.end(), bounds.begin(), bounds.end());
      value = builder_.let({builder_.type, std::move(one)}, body);
    }
    const Index place = variable(step.id) * Extent(split_.size) + term;
    const Index inside = variable(copy.id) * Extent(nest_.lanes()) + variable(lane.id);
    body.push_back({Store{{right_, {variable(part.id), place, inside}}, {}, value, std::nullopt}});
    // A whole part at once, so that more of each line of memory is used when it is there; of many rows a
    // vector, so that their masks stay in registers.
    std::vector<Loop> nest{std::move(part)};
    std::ranges::move(taps, std::back_inserter(nest));
    nest.push_back(std::move(step));
    nest.insert(rows_of_vector() <= 2 ? nest.end() : nest.begin() + 1, std::move(copy));
    nest.push_back(std::move(lane));
    return nested(std::move(nest), std::move(body));
  }

  /// `tile`: where the sums are; the element's place in the tile is appended.
  Body epilogue(const TilePosition& place, const Access& tile) {
    Body all = nest_.repeat({tile, constant_index(0), axes_.m, place.row, plan_.rows, axes_.n, place.column},
                            builder_.outer);
    Loop copy = builder_.open("copy", LoopKind::unrolled, plan_.columns / nest_.lanes());
    const Index first = place.column + variable(copy.id) * Extent(nest_.lanes());
    Body rows;
    for (std::int64_t number = 0; number < rows_of_vector(); ++number) {
      Loop i = builder_.open("row", LoopKind::serial, plan_.rows);
      Loop lane = builder_.open("lane", LoopKind::vector, nest_.lanes());
      const Index row = place.row + variable(i.id);
      i.bounds.push_back({row, axes_.m.extent});
      Renaming renaming = builder_.outer;
      axes_.m.bind(row, renaming);
      builder_.within = bind_row(first, variable(lane.id), number, renaming);
      Access from = tile;
      from.indices.push_back(variable(i.id));
      from.indices.push_back(variable(copy.id) * Extent(nest_.lanes()) + variable(lane.id));
      Body body;
      builder_.finish(from, renaming, body);
      builder_.within.clear();
      body = around(std::move(i), around(std::move(lane), std::move(body)));
      append(rows, number > 0 && has_long_lines() ? nest_.where("next", crosses_line(first), std::move(body))
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
  SplitAxes split_;        ///< of k
  Extent depth_;           ///< of a block of k
  bool ragged_;            ///< the last block of k is shorter
  AxisGroup rows_, line_;  ///< the axes of n: the last ones make a row of memory, and those before count rows
  BufferId tile_ = 0, totals_ = 0, left_ = 0, right_ = 0;
};

}  // namespace

Body schedule_rows_product(CpuLowering& lowering, const Stage& stage, const Renaming& outer,
                           const ProductPlan& plan) {
  return RowsProductBuilder(lowering, stage, outer, plan).build();
}

}  // namespace codegen::schedule::cpu
