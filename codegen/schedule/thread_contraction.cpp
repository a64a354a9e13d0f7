#include "codegen/schedule/thread_contraction.h"

#include <algorithm>

#include "codegen/schedule/contraction_nest.h"

namespace codegen::schedule {
namespace {

using kernel::Axis;
using kernel::AxisId;
using kernel::Stage;

/// Summed extents below this are not worth panels.
constexpr std::int64_t least_depth = 8;
constexpr std::int64_t depth = 16;  ///< of a panel, in k
/// Where k is contiguous in memory, so many neighbouring threads read along it, each writing to a row of the
/// panel of its own; with the padding between the rows the elements that a warp writes lie in 32 banks:
/// (run rows) x (padding elements).
constexpr std::int64_t run = 8, padding = 4;

/// Threads across the columns and down the rows, and the register tile of each.
struct Sizes {
  std::int64_t across, down, tile_rows, tile_columns;
  std::int64_t rows() const { return down * tile_rows; }
  std::int64_t columns() const { return across * tile_columns; }
  std::int64_t threads() const { return across * down; }
};
Sizes sizes(const Extent& n) {
  const std::int64_t columns = n.constant().value_or(64);
  if (columns <= 16) return {4, 64, 4, 4};
  if (columns <= 32) return {8, 32, 4, 4};
  return {16, 16, 8, 4};
}

class ThreadContraction : ContractionNest {
 public:
  ThreadContraction(Lowering& lowering, const Stage& stage) : ContractionNest(lowering, stage, {}) {
    const kernel::Contraction& c = *stage.contraction;
    for (const Axis& axis : stage.axes) {
      const auto in = [&](const std::vector<AxisId>& ids) {
        return std::find(ids.begin(), ids.end(), axis.id) != ids.end();
      };
      (in(c.m) ? m_ : in(c.n) ? n_ : in(c.k) ? k_ : batch_).add(axis);
    }
    sizes_ = sizes(n_.extent);
  }

  Body lower() {
    const auto tiles = [](const Extent& extent, std::int64_t size) {
      return Extent::floor_divide(extent + Extent(size - 1), Extent(size));
    };
    Loop batch = open("batch", LoopKind::block, batch_.extent);
    Loop down = open("rows", LoopKind::block, tiles(m_.extent, sizes_.rows()));
    Loop across = open("columns", LoopKind::block, tiles(n_.extent, sizes_.columns()));
    batch_.bind(variable(batch.id), outer_);
    const Index row = variable(down.id) * sizes_.rows(), column = variable(across.id) * sizes_.columns();
    Body body;
    left_ = add_buffer("left", {depth, sizes_.rows()}, Space::shared, body);
    right_ = add_buffer("right", {depth, sizes_.columns()}, Space::shared, body);
    tile_ = add_buffer("tile", {sizes_.tile_rows, sizes_.tile_columns}, Space::registers, body);
    body.push_back({Fill{whole(tile_), stage_.reduction->identity[0]}});
    Loop k = open("k", LoopKind::serial, k_.extent, depth);
    Body step;
    append(step, stage_panel(stage_.contraction->left, left_, m_, row, sizes_.rows(), variable(k.id)));
    append(step,
           stage_panel(stage_.contraction->right, right_, n_, column, sizes_.columns(), variable(k.id)));
    append(step, multiply());
    append(body, around(std::move(k), std::move(step)));
    append(body, epilogue(row, column));
    body = around(std::move(across), std::move(body));
    body = around(std::move(down), std::move(body));
    return batch_.axes.empty() ? std::move(body) : around(std::move(batch), std::move(body));
  }

 private:
  BufferId add_buffer(const char* name, Shape shape, Space space, Body& body) {
    Layout layout = dense_layout(shape);
    if (space == Space::shared) layout.strides[0] = shape[1] + Extent(padding);
    Buffer buffer{stage_.name + "." + name, type_, shape, space, layout, false, std::nullopt};
    const BufferId id = lowering_.add_buffer(std::move(buffer));
    body.push_back({Allocate{id}});
    return id;
  }
  Tile whole(BufferId id) const {
    const Shape& shape = lowering_.schedule.buffers[id].shape;
    return {id, std::vector<Index>(shape.size(), constant_index(0)), shape, {}};
  }

  /// Whether neighbours along the group's last axis are neighbours in memory.
  bool is_contiguous(kernel::ScalarId operand, const AxisGroup& group) const {
    const auto* load = std::get_if<Scalar::Load>(&stage_.body[operand].definition);
    if (load == nullptr || group.axes.empty()) return false;
    const auto& layout = lowering_.schedule.buffers[load->access.buffer].layout;
    const auto step = stride(offset(load->access, layout), group.axes.back()->id);
    return step && step->is(1);
  }

  // The nest.

  /// Evaluates the operand for k and `others` from `first` on into its panel; neighbouring threads along the
  /// axis that is contiguous in memory.
  Body stage_panel(kernel::ScalarId operand, BufferId panel, const AxisGroup& others, const Index& first,
                   std::int64_t size, const Index& first_k) {
    const bool along_k = is_contiguous(operand, k_);
    Loop thread = open("thread", LoopKind::thread, sizes_.threads());
    Loop part = open("part", LoopKind::unrolled, depth * size / sizes_.threads());
    const Index place = variable(thread.id) + variable(part.id) * sizes_.threads();
    using Kind = Index::Quotient::Kind;
    const Index rest = quotient(Kind::floor, place, run);
    const Index other = quotient(Kind::modulo, along_k ? rest : place, size);
    const Index k = along_k ? quotient(Kind::modulo, place, run) + quotient(Kind::floor, rest, size) * run
                            : quotient(Kind::floor, place, size);
    Body body;
    const ValueId zero = let({type_, Scalar::Literal{dlvm::Tensor(type_, {})}}, body);
    body.push_back({Store{{panel, {k, other}}, {}, zero, std::nullopt}});
    Loop inside = open("inside", LoopKind::unrolled, 1);
    inside.bounds = {{first_k + k, k_.extent}, {first + other, others.extent}};
    Renaming renaming = outer_;
    k_.bind(first_k + k, renaming);
    others.bind(first + other, renaming);
    Body evaluated;
    Values known;
    const ValueId value = need(operand, renaming, known, evaluated);
    evaluated.push_back({Store{{panel, {k, other}}, {}, value, std::nullopt}});
    append(body, around(std::move(inside), std::move(evaluated)));
    return around(std::move(thread), around(std::move(part), std::move(body)));
  }

  /// The threads' places: two loops that every use opens alike.
  std::pair<Loop, Loop> threads() {
    return {open("thread_row", LoopKind::thread, sizes_.down),
            open("thread_column", LoopKind::thread, sizes_.across)};
  }

  Body multiply() {
    auto [down, across] = threads();
    const Index zero = constant_index(0);
    MultiplyAccumulate multiply;
    multiply.to = whole(tile_);
    multiply.left = {left_, {zero, variable(down.id) * sizes_.tile_rows}, {depth, sizes_.tile_rows}, {}};
    multiply.right = {
        right_, {zero, variable(across.id) * sizes_.tile_columns}, {depth, sizes_.tile_columns}, {}};
    multiply.rows = constant_index(sizes_.tile_rows);
    multiply.columns = constant_index(sizes_.tile_columns);
    multiply.count = constant_index(depth);
    Body body;
    body.push_back({std::move(multiply)});
    return around(std::move(down), around(std::move(across), std::move(body)));
  }

  Body epilogue(const Index& first_row, const Index& first_column) {
    auto [down, across] = threads();
    Loop i = open("row", LoopKind::unrolled, sizes_.tile_rows);
    Loop j = open("column", LoopKind::unrolled, sizes_.tile_columns);
    const Index row = first_row + variable(down.id) * sizes_.tile_rows + variable(i.id);
    const Index column = first_column + variable(across.id) * sizes_.tile_columns + variable(j.id);
    i.bounds.push_back({row, m_.extent});
    j.bounds.push_back({column, n_.extent});
    Renaming renaming = outer_;
    m_.bind(row, renaming);
    n_.bind(column, renaming);
    Body body;
    finish({tile_, {variable(i.id), variable(j.id)}}, renaming, body);
    body = around(std::move(i), around(std::move(j), std::move(body)));
    return around(std::move(down), around(std::move(across), std::move(body)));
  }

  Sizes sizes_;
  AxisGroup batch_, m_, n_, k_;
  BufferId left_ = 0, right_ = 0, tile_ = 0;
};

}  // namespace

bool is_tiled_for_threads(const Stage& stage) {
  if (!stage.contraction || !stage.reduction || runs_in_order(stage)) return false;
  const kernel::Contraction& c = *stage.contraction;
  const auto own = [&](const std::vector<AxisId>& ids) {
    return !ids.empty() && std::all_of(ids.begin(), ids.end(), [&](AxisId id) {
      return std::any_of(stage.axes.begin(), stage.axes.end(), [&](const Axis& a) { return a.id == id; });
    });
  };
  if (!own(c.m) || !own(c.n) || !own(c.k)) return false;
  const auto below = [&](const std::vector<AxisId>& ids, std::int64_t limit) {
    Extent all = 1;
    for (const Axis& axis : stage.axes)
      if (std::find(ids.begin(), ids.end(), axis.id) != ids.end()) all = all * axis.extent;
    const auto constant = all.constant();
    return constant && *constant < limit;
  };
  if (below(c.k, least_depth) || below(c.m, 4) || below(c.n, 4)) return false;
  const ElementType type = stage.reduction->types[0];
  if (type != ElementType::f32 && type != ElementType::f64) return false;
  return stage.body[c.left].type == type && stage.body[c.right].type == type;
}

Body lower_contraction_as_grid(Lowering& lowering, const Stage& stage) {
  return ThreadContraction(lowering, stage).lower();
}

}  // namespace codegen::schedule
