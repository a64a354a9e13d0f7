// Products of few rows with a right operand that the caches near a core do not hold. Its memory is read once,
// row after row, because a core fetches long runs of memory by itself, while the rows of a tile of columns
// would each be on a page of its own. So all columns of a block add a few terms before the next terms begin,
// and their sums are in memory near the core in between. This is the form y += a x of a product of a vector
// and a matrix, with as many rows as there are. Each element is the same chain of multiply-adds as in a
// product of panels. Different cores compute ranges of columns.
#include "codegen/schedule/cpu/operand_packer.h"
#include "codegen/schedule/cpu/product_nest.h"
#include "codegen/schedule/cpu/schedule_stage.h"
#include "dlvm/support/internal_error.h"

namespace codegen::schedule::cpu {
namespace {

using kernel::Stage;

class StreamedProductBuilder {
 public:
  StreamedProductBuilder(CpuLowering& lowering, const Stage& stage, const Renaming& outer,
                         const ProductPlan& plan, const RowTile* tile)
      : nest_(lowering, stage, outer, plan),
        first_row_(tile != nullptr ? tile->first : constant_index(0)),
        depth_(plan.k_block ? Extent(*plan.k_block) : nest_.axes.k.extent) {
    const auto rows = nest_.axes.m.extent.constant();
    if (tile == nullptr && rows && *rows > plan.row_block)
      dlvm::internal_error("a streamed product of more than a block of rows");
  }

  Body build() {
    return nest_.in_batch([&] { return columns(); });
  }

 private:
  /// A tile: its number down and across, and its first row and column.
  struct Position {
    Index i, j, row, column;
  };

  Body columns() {
    Loop ranges = builder_.open("columns", LoopKind::core, axes_.n.extent, plan_.columns);
    ranges.range_end = range_end_ = builder_.lowering.next_loop++;
    Loop n = builder_.open("n", LoopKind::serial, axes_.n.extent, plan_.column_block);
    const Index column = variable(ranges.id) + variable(n.id);
    n.bounds.push_back(column_bound(column));
    sums_ = add_sums("sums");
    Body body;
    body.push_back({Allocate{sums_}});
    if (!plan_.left_direct) {
      left_panel_ = nest_.add_panel("left", {tiles_down(), depth_, nest_.whole_vectors(plan_.rows)});
      body.push_back({Allocate{left_panel_}});
    }
    append(body, plan_.k_block ? chains(column) : chain(column, constant_index(0)));
    append(body, tiles(column, [&](const Position& at) { return epilogue(at); }));
    return around(std::move(ranges), around(std::move(n), std::move(body)));
  }

  /// Says that the column is one of the range that this core computes.
  Bound column_bound(const Index& column) const {
    return {column + less(axes_.n.extent, variable(range_end_)), axes_.n.extent};
  }

  /// Returns the sums of one block of k after the other, each added to the totals.
  Body chains(const Index& column) {
    totals_ = add_sums("totals");
    Body body;
    body.push_back({Allocate{totals_}});
    append(body, clear(totals_, column));
    Loop k = builder_.open("k_block", LoopKind::serial, axes_.k.extent, *plan_.k_block);
    Body block = chain(column, variable(k.id));
    append(block, tiles(column, [&](const Position& at) { return add_to_totals(at); }));
    append(body, around(std::move(k), std::move(block)));
    return body;
  }

  /// Returns the sums of the block of k that begins at `first_k`.
  Body chain(const Index& column, const Index& first_k) {
    Body body;
    if (!plan_.left_direct)
      append(body, OperandPacker(nest_.lowering, stage_, builder_.outer, axes_.k, plan_.k_block.has_value())
                       .pack({stage_.contraction->left, axes_.m, first_row_, plan_.rows, plan_.row_block,
                              left_panel_, first_k, depth_}));
    append(body, clear(sums_, column));
    Loop k = builder_.open("k", LoopKind::serial, depth_, *plan_.k_step);
    if (plan_.k_block) k.bounds.push_back({first_k + variable(k.id), axes_.k.extent});
    Body step = tiles(column, [&](const Position& at) { return multiply(at, first_k, variable(k.id)); });
    append(body, around(std::move(k), std::move(step)));
    return body;
  }

  /// Returns the tile's sums with the products of the terms of a step, which begins `k` behind `first_k`.
  Body multiply(const Position& at, const Index& first_k, const Index& k) {
    const Index zero = constant_index(0);
    return nest_.for_rows(at.row, [&](std::int64_t rows, const Index& there) {
      MultiplyAccumulate multiply;
      multiply.to = {sums_, {at.i, at.j, zero, zero}, {1, 1, rows, plan_.columns}, {}};
      multiply.left = plan_.left_direct
                          ? in_place(stage_.contraction->left, axes_.m, at.row, rows, first_k + k)
                          : Tile{left_panel_, {at.i, k, zero}, {1, *plan_.k_step, rows}, {}};
      multiply.right = in_place(stage_.contraction->right, axes_.n, at.column, plan_.columns, first_k + k);
      multiply.rows = there;
      const auto all = axes_.n.extent.constant();
      multiply.columns =
          all && *all % plan_.columns == 0 ? constant_index(plan_.columns) : less(axes_.n.extent, at.column);
      const auto terms = axes_.k.extent.constant();
      multiply.count = terms && *terms % *plan_.k_step == 0 ? constant_index(*plan_.k_step)
                                                            : less(axes_.k.extent, first_k + k);
      Body one;
      one.push_back({std::move(multiply)});
      return one;
    });
  }

  /// Returns the operand's memory as [k, other], from (first_k, first) on.
  Tile in_place(kernel::ScalarId operand, const AxisGroup& other, const Index& first, std::int64_t size,
                const Index& first_k) const {
    const Access& access = *plain_access(stage_, operand);
    const Buffers buffers = nest_.lowering.schedule.buffers;
    Renaming renaming = builder_.outer;
    axes_.k.bind(first_k, renaming);
    other.bind(first, renaming);
    return {access.buffer,
            rename(access, renaming).indices,
            {*plan_.k_step, size},
            {*step_along(buffers, access, axes_.k), *step_along(buffers, access, other)}};
  }

  Body add_to_totals(const Position& at) {
    Loop i = builder_.open("row", LoopKind::serial, plan_.rows);
    Loop copy = builder_.open("copy", LoopKind::serial, plan_.columns, nest_.lanes());
    Loop lane = builder_.open("lane", LoopKind::vector, nest_.lanes());
    i.bounds.push_back({at.row + variable(i.id), axes_.m.extent});
    const std::vector<Index> element{at.i, at.j, variable(i.id), variable(copy.id) + variable(lane.id)};
    Body body = builder_.add({sums_, element}, {totals_, element});
    return around(std::move(i), around(std::move(copy), around(std::move(lane), std::move(body))));
  }

  Body epilogue(const Position& at) {
    const BufferId from = plan_.k_block ? totals_ : sums_;
    return nest_.finish(
        {{from, {at.i, at.j}}, constant_index(0), axes_.m, at.row, plan_.rows, axes_.n, at.column},
        builder_.outer);
  }

  /// Returns what `of` makes for each tile of the block of columns.
  template <typename Of>
  Body tiles(const Index& first_column, Of of) {
    Loop j = builder_.open("j", LoopKind::serial, tiles_across());
    Loop i = builder_.open("i", LoopKind::serial, tiles_down());
    const Index column = first_column + variable(j.id) * plan_.columns,
                row = first_row_ + variable(i.id) * plan_.rows;
    j.bounds.push_back(column_bound(column));
    i.bounds.push_back({row, axes_.m.extent});
    Body body = of(Position{variable(i.id), variable(j.id), row, column});
    return around(std::move(j), around(std::move(i), std::move(body)));
  }

  std::int64_t tiles_down() const { return plan_.row_block / plan_.rows; }
  std::int64_t tiles_across() const { return plan_.column_block / plan_.columns; }

  BufferId add_sums(const char* name) {
    return nest_.add_panel(name, {tiles_down(), tiles_across(), plan_.rows, plan_.columns});
  }
  /// Returns statements that make all sums of the block of columns those of no terms.
  Body clear(BufferId sums, const Index& column) {
    return tiles(column, [&](const Position& at) {
      const Index zero = constant_index(0);
      const Tile tile{sums, {at.i, at.j, zero, zero}, {1, 1, plan_.rows, plan_.columns}, {}};
      Body one;
      one.push_back({Fill{tile, stage_.reduction->identity[0]}});
      return one;
    });
  }

  ProductNest nest_;
  ContractionBuilder& builder_ = nest_.builder;
  const Stage& stage_ = nest_.stage;
  const ProductPlan& plan_ = nest_.plan;
  const ProductAxes& axes_ = nest_.axes;
  Index first_row_;
  Extent depth_;          ///< of a block of k
  LoopId range_end_ = 0;  ///< the end of the range of columns that a core computes
  BufferId left_panel_ = 0, sums_ = 0, totals_ = 0;
};

}  // namespace

Body schedule_streamed_product(CpuLowering& lowering, const Stage& stage, const Renaming& outer,
                               const ProductPlan& plan, const RowTile* tile) {
  return StreamedProductBuilder(lowering, stage, outer, plan, tile).build();
}

}  // namespace codegen::schedule::cpu
