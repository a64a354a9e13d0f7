// Products whose right operand is lines of memory, of each element of which few rows of the result make use:
// packing every term of k would take longer than the multiply-adds. The lines are copied once, with zeros
// where windows leave them, and the products read that copy at the place of each term. A tile is a part of
// one line of the result. Where the line that a term needs is outside of memory, its products are left out.
// The chain of an element runs over the choice of lines first, then over the other axes of k.
#include "codegen/schedule/cpu/input_lines.h"
#include "codegen/schedule/cpu/operand_packer.h"
#include "codegen/schedule/cpu/schedule_stage.h"

namespace codegen::schedule::cpu {
namespace {

using kernel::Axis;
using kernel::Stage;

class LinesProductBuilder {
 public:
  LinesProductBuilder(CpuLowering& lowering, const Stage& stage, const Renaming& outer,
                      const ProductPlan& plan)
      : lowering_(lowering),
        builder_(lowering, stage, outer),
        stage_(stage),
        plan_(plan),
        axes_(stage),
        split_(split_k(axes_.k)),
        lines_(*input_lines(stage, axes_)) {}

  Body build() {
    std::vector<Loop> batch, around;
    for (const Axis& axis : stage_.axes)
      if (std::ranges::find(stage_.contraction->batch, axis.id) != stage_.contraction->batch.end())
        batch.push_back(lowering_.serial(axis, builder_.outer));
    Body body = pack_left();
    for (const Axis* axis : lines_.around) around.push_back(lowering_.serial(*axis, builder_.outer));
    Body image = copy_lines();
    append(image, tiles());
    append(body, nested(std::move(around), std::move(image)));
    return nested(std::move(batch), std::move(body));
  }

 private:
  std::int64_t lanes() const { return lowering_.target.lanes(builder_.type); }
  static Body nested(std::vector<Loop> loops, Body body) {
    for (; !loops.empty(); loops.pop_back()) body = around(std::move(loops.back()), std::move(body));
    return body;
  }
  BufferId add_panel(const char* name, const Shape& shape) {
    Buffer buffer{stage_.name + "." + name, builder_.type, shape,       Space::panel,
                  dense_layout(shape),      false,         std::nullopt};
    return lowering_.add_buffer(std::move(buffer));
  }

  /// All of the left operand: the rows of a tile next to each other for each term.
  Body pack_left() {
    const std::int64_t rows = *axes_.m.extent.constant(), vectors = (plan_.rows + lanes() - 1) / lanes();
    const std::int64_t parts = (rows + plan_.rows - 1) / plan_.rows;
    left_ = add_panel("left", {parts, axes_.k.extent, vectors * lanes()});
    Body body;
    body.push_back({Allocate{left_}});
    OperandPacker packer(lowering_, stage_, builder_.outer, axes_.k, false);
    append(body, packer.pack({stage_.contraction->left, axes_.m, constant_index(0), plan_.rows,
                              parts * plan_.rows, left_, constant_index(0), axes_.k.extent, false, &split_}));
    return body;
  }

  /// The lines with their padding, up to the last element that a whole tile reads.
  Body copy_lines() {
    const std::int64_t line = *axes_.n.axes.back()->extent.constant();
    const std::int64_t tiles = (line + plan_.columns - 1) / plan_.columns;
    const auto up = [&](std::int64_t extent) { return (extent + lanes() - 1) / lanes() * lanes(); };
    const std::int64_t width = up(lines_.axes.back().extent + tiles * plan_.columns - line);
    Shape shape;
    for (const InputLines::CopyAxis& axis : lines_.axes) shape.push_back(axis.extent);
    shape.back() = width;
    copy_ = add_panel("lines", shape);
    const auto& load = std::get<Scalar::Load>(stage_.body[stage_.contraction->right].definition);
    Access from = rename(load.access, builder_.outer), to{copy_, {}};
    std::vector<Loop> loops;
    for (std::size_t i = 0; i < lines_.axes.size(); ++i) {
      const bool last = i + 1 == lines_.axes.size();
      loops.push_back(
          builder_.open(last ? "element" : "line", LoopKind::serial, shape[i], last ? lanes() : 1));
      Index at = variable(loops.back().id);
      if (last) loops.push_back(builder_.open("lane", LoopKind::vector, lanes()));
      if (last) at = at + variable(loops.back().id);
      to.indices.push_back(at);
      from.indices[lines_.axes[i].dimension] = at + rename(lines_.axes[i].from, builder_.outer);
    }
    const Bound inside = lines_.bound ? Bound{from.indices.back(), lines_.bound->end}
                                      : Bound{to.indices.back(), lines_.axes.back().extent};
    Body body, all;
    const ValueId zero =
        builder_.let({builder_.type, Scalar::Literal{dlvm::Tensor(builder_.type, {})}}, body);
    const ValueId value = builder_.let({builder_.type, Scalar::Load{from, {inside}, zero}}, body);
    body.push_back({Store{std::move(to), {}, value, std::nullopt}});
    all.push_back({Allocate{copy_}});
    append(all, nested(std::move(loops), std::move(body)));
    return all;
  }

  Body tiles() {
    tile_ = add_panel("tile", {plan_.rows, plan_.columns});
    Renaming at = builder_.outer;
    std::vector<Loop> loops;
    for (const Axis* axis : lines_.lines) loops.push_back(lowering_.serial(*axis, at));
    loops.push_back(builder_.open("column", LoopKind::serial, axes_.n.axes.back()->extent, plan_.columns));
    const Index column = variable(loops.back().id);
    loops.push_back(builder_.open("part", LoopKind::serial, lowering_.schedule.buffers[left_].shape[0]));
    const Index part = variable(loops.back().id);
    Body body;
    body.push_back({Allocate{tile_}});
    const Tile tile{tile_, {constant_index(0), constant_index(0)}, {plan_.rows, plan_.columns}, {}};
    body.push_back({Fill{tile, stage_.reduction->identity[0]}});
    append(body, products(tile, part, column, at));
    append(body, epilogue(part, column, at));
    return nested(std::move(loops), std::move(body));
  }

  /// Adds the products of all terms whose lines are in memory to the tile.
  Body products(const Tile& tile, const Index& part, const Index& column, Renaming at) {
    std::vector<Loop> loops;
    for (const Axis* axis : lines_.choice) loops.push_back(lowering_.serial(*axis, at));
    if (!loops.empty()) {
      loops.push_back(builder_.open("inside", LoopKind::serial, 1));
      loops.back().bounds = rename(lines_.line_bounds, at);
    }
    for (const Axis* axis : lines_.terms) at.axes[axis->id] = constant_index(0);
    at.axes[axes_.n.axes.back()->id] = column;
    MultiplyAccumulate multiply{tile, left_tile(part, at), right_tile(at), {}, {}, {}};
    multiply.rows = constant_index(axes_.m.extent) + part * Extent(-plan_.rows);
    multiply.columns = constant_index(plan_.columns);
    multiply.count = constant_index(lines_.terms.back()->extent);
    Body body;
    body.push_back({std::move(multiply)});
    return nested(std::move(loops), std::move(body));
  }

  /// The left operand's terms from those that `at` binds on.
  Tile left_tile(const Index& part, const Renaming& at) const {
    const Extent step = lowering_.schedule.buffers[left_].shape.back();
    Index term = constant_index(0);
    for (const Axis* axis : axes_.k.axes) term = term * axis->extent + variable(axis->id);
    Tile tile{left_, {part, rename(term, at), constant_index(0)}, {}, {}};
    for (const Axis* axis : lines_.terms) {
      tile.sizes.push_back(axis->extent);
      tile.strides.push_back(*stride(term, axis->id) * step);
    }
    tile.sizes.push_back(plan_.rows);
    tile.strides.push_back(1);
    return tile;
  }

  Tile right_tile(const Renaming& at) const {
    Access access{copy_, {}};
    for (const InputLines::CopyAxis& axis : lines_.axes) access.indices.push_back(axis.at);
    const Index place = offset(access, lowering_.schedule.buffers[copy_].layout);
    Tile tile{copy_, rename(access, at).indices, {}, {}};
    for (const Axis* axis : lines_.terms) {
      tile.sizes.push_back(axis->extent);
      tile.strides.push_back(*stride(place, axis->id));
    }
    tile.sizes.push_back(plan_.columns);
    tile.strides.push_back(1);
    return tile;
  }

  Body epilogue(const Index& part, const Index& column, Renaming at) {
    Loop i = builder_.open("row", LoopKind::serial, plan_.rows);
    Loop copy = builder_.open("copy", LoopKind::serial, plan_.columns, lanes());
    Loop lane = builder_.open("lane", LoopKind::vector, lanes());
    const Index inside = variable(copy.id) + variable(lane.id),
                row = part * Extent(plan_.rows) + variable(i.id);
    const Extent& line = axes_.n.axes.back()->extent;
    i.bounds.push_back({row, axes_.m.extent});
    copy.bounds.push_back({column + variable(copy.id), line});
    lane.bounds.push_back({column + inside, line});
    axes_.m.bind(row, at);
    at.axes[axes_.n.axes.back()->id] = column + inside;
    Body body;
    builder_.finish({tile_, {variable(i.id), inside}}, at, body);
    return around(std::move(i), around(std::move(copy), around(std::move(lane), std::move(body))));
  }

  CpuLowering& lowering_;
  ContractionBuilder builder_;
  const Stage& stage_;
  const ProductPlan& plan_;
  ProductAxes axes_;
  SplitAxes split_;  ///< of k
  InputLines lines_;
  BufferId left_ = 0, copy_ = 0, tile_ = 0;
};

}  // namespace

Body schedule_lines_product(CpuLowering& lowering, const Stage& stage, const Renaming& outer,
                            const ProductPlan& plan) {
  return LinesProductBuilder(lowering, stage, outer, plan).build();
}

}  // namespace codegen::schedule::cpu
