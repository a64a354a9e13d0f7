// Contractions as products of tiles: for blocks of columns the right operand is packed, for blocks of rows
// the left one, unless it can be read from where it is; then one register tile after the other runs over k,
// and the epilogue over the finished tile. Each element is one chain of multiply-adds in the order of k, in
// every variant. Where k is long, the chain begins anew with each block of k, and the blocks' sums are added
// in order: what one block needs of both operands stays in the caches, and errors stay small (Goto, van de
// Geijn, Anatomy of High-Performance Matrix Multiplication, 2008).
#include <algorithm>

#include "codegen/schedule/cpu/add_tile.h"
#include "codegen/schedule/cpu/operand_packer.h"
#include "codegen/schedule/cpu/schedule_stage.h"

namespace codegen::schedule::cpu {
namespace {

using kernel::Axis;
using kernel::Stage;

class ProductBuilder {
 public:
  ProductBuilder(CpuLowering& lowering, const Stage& stage, const Renaming& outer, const ProductPlan& plan)
      : lowering_(lowering),
        builder_(lowering, stage, outer),
        stage_(stage),
        plan_(plan),
        axes_(stage),
        depth_(plan.k_block ? Extent(*plan.k_block) : axes_.k.extent) {}

  Body build() {
    std::vector<Loop> batch;
    for (const Axis& axis : stage_.axes)
      if (!in(axes_.m, axis) && !in(axes_.n, axis) && !in(axes_.k, axis))
        batch.push_back(lowering_.serial(axis, builder_.outer));
    Body body = columns();
    while (!batch.empty()) {
      body = around(std::move(batch.back()), std::move(body));
      batch.pop_back();
    }
    return body;
  }

 private:
  static bool in(const AxisGroup& group, const Axis& axis) {
    return std::find(group.axes.begin(), group.axes.end(), &axis) != group.axes.end();
  }

  std::int64_t lanes() const { return lowering_.target.lanes(builder_.type); }

  static Index less(const Extent& from, const Index& index) {
    return constant_index(from) + index * Extent(-1);
  }

  std::optional<Extent> step(const Access& access, const AxisGroup& group) const {
    return step_along(lowering_.schedule.buffers, access, group);
  }

  /// The operand's memory as [k, other], from (first_k, first) on.
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
    return {lowering_, stage_, builder_.outer, axes_.k, plan_.k_block.has_value()};
  }

  Tile whole(BufferId id) const {
    const Shape& shape = lowering_.schedule.buffers[id].shape;
    return {id, std::vector<Index>(shape.size(), constant_index(0)), shape, {}};
  }

  BufferId add_panel(const char* name, const Shape& shape) {
    Buffer buffer{stage_.name + "." + name, builder_.type, shape,       Space::panel,
                  dense_layout(shape),      false,         std::nullopt};
    return lowering_.add_buffer(std::move(buffer));
  }

  // The nest.

  Body columns() {
    tile_ = add_panel("tile", {plan_.rows, plan_.columns});
    Loop n = builder_.open("n", LoopKind::serial, axes_.n.extent, plan_.column_block);
    const Index column = variable(n.id);
    Body body;
    if (!plan_.right_direct) {
      right_panel_ = add_panel("right", {plan_.column_block / plan_.columns, axes_.k.extent, plan_.columns});
      body.push_back({Allocate{right_panel_}});
      append(body,
             make_packer().pack({stage_.contraction->right, axes_.n, column, plan_.columns,
                                 plan_.column_block, right_panel_, constant_index(0), axes_.k.extent, true}));
    }
    append(body, row_blocks(column));
    return around(std::move(n), std::move(body));
  }

  Body row_blocks(const Index& column) {
    Loop m = builder_.open("m", LoopKind::serial, axes_.m.extent, plan_.row_block);
    const Index row = variable(m.id);
    Body body;
    if (!plan_.left_direct) {
      const std::int64_t vectors = (plan_.rows + lanes() - 1) / lanes();
      left_panel_ = add_panel("left", {plan_.row_block / plan_.rows, depth_, vectors * lanes()});
      body.push_back({Allocate{left_panel_}});
    }
    if (plan_.k_block) {
      append(body, blocks_of_k(row, column));
    } else {
      append(body, pack_left(row, constant_index(0)));
      append(body, tiles(row, column, [&](const TilePosition& place) {
               Body one = product(place, constant_index(0));
               append(one, epilogue(place, {tile_, {}}));
               return one;
             }));
    }
    return around(std::move(m), std::move(body));
  }

  /// One block of k after the other for all tiles of the block of rows and columns, each tile's sum added to
  /// its total; then the epilogues.
  Body blocks_of_k(const Index& row, const Index& column) {
    totals_ = add_panel("totals", {plan_.row_block / plan_.rows, plan_.column_block / plan_.columns,
                                   plan_.rows, plan_.columns});
    Body body;
    body.push_back({Allocate{totals_}});
    append(body, tiles(row, column, [&](const TilePosition& place) {
             const Index zero = constant_index(0);
             const Tile total{totals_, {place.i, place.j, zero, zero}, {1, 1, plan_.rows, plan_.columns}, {}};
             Body one;
             one.push_back({Fill{total, stage_.reduction->identity[0]}});
             return one;
           }));
    Loop k = builder_.open("k_block", LoopKind::serial, axes_.k.extent, *plan_.k_block);
    const Index first_k = variable(k.id);
    Body block = pack_left(row, first_k);
    append(block, tiles(row, column, [&](const TilePosition& place) {
             Body one = product(place, first_k);
             append(one, add_to_total(place));
             return one;
           }));
    append(body, around(std::move(k), std::move(block)));
    append(body, tiles(row, column, [&](const TilePosition& place) {
             return epilogue(place, {totals_, {place.i, place.j}});
           }));
    return body;
  }

  Body pack_left(const Index& row, const Index& first_k) {
    if (plan_.left_direct) return {};
    return make_packer().pack(
        {stage_.contraction->left, axes_.m, row, plan_.rows, plan_.row_block, left_panel_, first_k, depth_});
  }

  /// A tile of a block: its number there, down and across, and its first element.
  struct TilePosition {
    Index i, j, row, column;
  };

  template <typename Of>
  Body tiles(const Index& row_block, const Index& column_block, Of of) {
    Loop j = builder_.open("j", LoopKind::serial, plan_.column_block / plan_.columns);
    Loop i = builder_.open("i", LoopKind::serial, plan_.row_block / plan_.rows);
    const Index column = column_block + variable(j.id) * plan_.columns;
    const Index row = row_block + variable(i.id) * plan_.rows;
    j.bounds.push_back({column, axes_.n.extent});
    i.bounds.push_back({row, axes_.m.extent});
    Body body = of(TilePosition{variable(i.id), variable(j.id), row, column});
    return around(std::move(j), around(std::move(i), std::move(body)));
  }

  /// The tile's sums over the block of k from `first_k` on.
  Body product(const TilePosition& place, const Index& first_k) {
    const Index zero = constant_index(0);
    MultiplyAccumulate multiply;
    multiply.to = whole(tile_);
    multiply.left = plan_.left_direct ? direct(*plain_access(stage_, stage_.contraction->left), axes_.m,
                                               place.row, plan_.rows, first_k)
                                      : Tile{left_panel_, {place.i, zero, zero}, {1, depth_, plan_.rows}, {}};
    multiply.right = plan_.right_direct
                         ? direct(*plain_access(stage_, stage_.contraction->right), axes_.n, place.column,
                                  plan_.columns, first_k)
                         : Tile{right_panel_, {place.j, first_k, zero}, {1, depth_, plan_.columns}, {}};
    multiply.rows = less(axes_.m.extent, place.row);
    const auto constant = axes_.n.extent.constant();
    const bool all = !plan_.right_direct || (constant && *constant % plan_.columns == 0);
    multiply.columns = all ? constant_index(plan_.columns) : less(axes_.n.extent, place.column);
    multiply.count = less(axes_.k.extent, first_k);
    Body body;
    body.push_back({Allocate{tile_}});
    body.push_back({Fill{multiply.to, stage_.reduction->identity[0]}});
    body.push_back({std::move(multiply)});
    return body;
  }

  Body add_to_total(const TilePosition& place) {
    return add_tile(builder_, tile_, plan_, lanes(), {totals_, {place.i, place.j}});
  }

  /// `tile`: where the sums are; the element's place in the tile is appended.
  Body epilogue(const TilePosition& place, Access tile) {
    Loop i = builder_.open("row", LoopKind::serial, plan_.rows);
    Loop copy = builder_.open("copy", LoopKind::serial, plan_.columns, lanes());
    Loop lane = builder_.open("lane", LoopKind::vector, lanes());
    const Index inside = variable(copy.id) + variable(lane.id);
    const Index row = place.row + variable(i.id), column = place.column + inside;
    i.bounds.push_back({row, axes_.m.extent});
    copy.bounds.push_back({place.column + variable(copy.id), axes_.n.extent});
    lane.bounds.push_back({column, axes_.n.extent});
    Renaming renaming = builder_.outer;
    axes_.m.bind(row, renaming);
    axes_.n.bind(column, renaming);
    tile.indices.push_back(variable(i.id));
    tile.indices.push_back(inside);
    Body body;
    builder_.finish(tile, renaming, body);
    return around(std::move(i), around(std::move(copy), around(std::move(lane), std::move(body))));
  }

  CpuLowering& lowering_;
  ContractionBuilder builder_;
  const Stage& stage_;
  const ProductPlan& plan_;
  ProductAxes axes_;
  Extent depth_;  ///< of a block of k
  BufferId tile_ = 0, totals_ = 0, left_panel_ = 0, right_panel_ = 0;
};

}  // namespace

Body schedule_product(CpuLowering& lowering, const Stage& stage, const Renaming& outer,
                      const ProductPlan& plan) {
  if (plan.lines_in_place) return schedule_lines_product(lowering, stage, outer, plan);
  if (plan.rows_of_columns) return schedule_rows_product(lowering, stage, outer, plan);
  return ProductBuilder(lowering, stage, outer, plan).build();
}

}  // namespace codegen::schedule::cpu
