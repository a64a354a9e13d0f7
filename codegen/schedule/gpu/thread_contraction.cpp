#include "codegen/schedule/gpu/thread_contraction.h"

#include <algorithm>

#include "codegen/schedule/gpu/chip.h"
#include "codegen/schedule/gpu/panel.h"
#include "codegen/schedule/gpu/pipeline.h"

namespace codegen::schedule {
namespace {

using kernel::Axis;
using kernel::AxisId;
using kernel::Stage;

/// Summed extents below this are not worth panels.
constexpr std::int64_t least_depth = 8;
constexpr std::int64_t depth_bytes = 64;  ///< of a panel, in k
/// Between the rows of a panel that neighbouring threads write to, in bytes: so the elements that a warp
/// writes lie in different banks.
constexpr std::int64_t padding = 16;
/// Panels under way, as many as fit into the shared memory that a block has on every chip, in bytes.
constexpr std::int64_t most_slots = 4, shared_memory = 48 * 1024;

/// Threads across the columns and down the rows, and the register tile of each.
struct Sizes {
  std::int64_t across, down, tile_rows, tile_columns;
  std::int64_t rows() const { return down * tile_rows; }
  std::int64_t columns() const { return across * tile_columns; }
  std::int64_t threads() const { return across * down; }
};
/// A thread's columns take 16 bytes at most, so that what neighbours read lies in different banks.
Sizes sizes(const Extent& n, std::int64_t bytes, bool few_rows) {
  const std::int64_t columns = n.constant().value_or(64);
  if (bytes == 8) {
    const std::int64_t across = columns <= 16 ? 8 : 16;
    if (few_rows) return {across, few_rows_of_threads, 1, 2};
    return {across, 256 / across, columns <= 16 ? 4 : 8, 2};
  }
  if (few_rows) return {columns <= 16 ? 4 : 8, few_rows_of_threads, 1, 4};
  if (columns <= 16) return {4, 64, 4, 4};
  if (columns <= 32) return {8, 32, 4, 4};
  return {16, 16, 8, 4};
}

class ThreadContraction : ContractionNest {
 public:
  ThreadContraction(Lowering& lowering, const Stage& stage, const SplitProduct* split)
      : ContractionNest(lowering, stage, {}, split) {
    const kernel::Contraction& c = *stage.contraction;
    for (const Axis& axis : stage.axes) {
      const auto in = [&](const std::vector<AxisId>& ids) {
        return std::find(ids.begin(), ids.end(), axis.id) != ids.end();
      };
      (in(c.m) ? m_ : in(c.n) ? n_ : in(c.k) ? k_ : batch_).add(axis);
    }
    const bool few = m_.extent.constant() ? *m_.extent.constant() <= few_rows_of_threads : lowering.few_rows;
    sizes_ = sizes(n_.extent, bytes(), few);
    depth_ = depth_bytes / bytes();
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
    const kernel::Contraction& c = *stage_.contraction;
    Staging staging(lowering_, stage_, outer_, k_, sizes_.threads());
    const Panel left = add_panel("left", sizes_.rows(), staging.is_along_k(c.left), body);
    const Panel right = add_panel("right", sizes_.columns(), staging.is_along_k(c.right), body);
    left_ = left.buffer, right_ = right.buffer;
    const Shape tile{sizes_.tile_rows, sizes_.tile_columns};
    tile_ = add_buffer("tile", tile, Space::registers, dense_layout(tile), body);
    body.push_back({Fill{whole(tile_), stage_.reduction->identity[0]}});
    Loop k = open_k(k_, depth_);
    if (lowering_.chip->asynchronous_copies) {
      k.kind = LoopKind::pipeline;
      k.depth = static_cast<std::uint32_t>(slots());
    }
    Body step;
    append(step, staging.stage(c.left, m_, left, first_k(k), row));
    append(step, staging.stage(c.right, n_, right, first_k(k), column));
    append(step, multiply());
    append(body, around(std::move(k), std::move(step)));
    append(body, epilogue(row, column));
    body = around(std::move(across), std::move(body));
    body = around(std::move(down), std::move(body));
    return around_parts(batch_.axes.empty() ? std::move(body) : around(std::move(batch), std::move(body)));
  }

 private:
  Panel add_panel(const char* name, std::int64_t size, bool is_turned, Body& body) {
    const Shape shape{depth_, size};
    Layout layout = dense_layout(shape);
    if (is_turned) layout.strides[0] = size + padding / bytes();
    return {add_buffer(name, shape, Space::shared, layout, body), depth_, size, false};
  }
  /// How many of both panels there may be at a time.
  std::int64_t slots() const {
    std::int64_t each = 0;
    for (const BufferId id : {left_, right_})
      each += slot_elements(lowering_.schedule.buffers[id]).constant().value_or(0) * bytes();
    return std::min(most_slots, shared_memory / each);
  }
  std::int64_t bytes() const { return dlvm::info(type_).bytes; }
  BufferId add_buffer(const char* name, Shape shape, Space space, Layout layout, Body& body) {
    Buffer buffer{stage_.name + "." + name, type_, std::move(shape), space,
                  std::move(layout),        false, std::nullopt};
    const BufferId id = lowering_.add_buffer(std::move(buffer));
    body.push_back({Allocate{id}});
    return id;
  }
  Tile whole(BufferId id) const {
    const Shape& shape = lowering_.schedule.buffers[id].shape;
    return {id, std::vector<Index>(shape.size(), constant_index(0)), shape, {}};
  }

  // The nest.

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
    multiply.left = {left_, {zero, variable(down.id) * sizes_.tile_rows}, {depth_, sizes_.tile_rows}, {}};
    multiply.right = {
        right_, {zero, variable(across.id) * sizes_.tile_columns}, {depth_, sizes_.tile_columns}, {}};
    multiply.rows = constant_index(sizes_.tile_rows);
    multiply.columns = constant_index(sizes_.tile_columns);
    multiply.count = constant_index(depth_);
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
  std::int64_t depth_ = 0;  ///< of a panel, in elements
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

Body lower_contraction_as_grid(Lowering& lowering, const Stage& stage, const SplitProduct* split) {
  return ThreadContraction(lowering, stage, split).lower();
}

}  // namespace codegen::schedule
