#include "codegen/schedule/gpu/thread_contraction.h"

#include <algorithm>

#include "codegen/schedule/gpu/chip.h"
#include "codegen/schedule/gpu/product_nest.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::Axis;
using kernel::AxisId;
using kernel::Stage;

/// Summed extents below this are not worth panels.
constexpr std::int64_t least_depth = 8;
constexpr std::int64_t depth_bytes = 64;  ///< of a panel, in k
constexpr std::int64_t least_bytes = 4;   ///< that an element counts as
/// Between the rows of a panel that neighbouring threads write to, in bytes: so the elements that a warp
/// writes lie in different banks.
constexpr std::int64_t padding = 16;
/// That a block has on every chip, in bytes.
constexpr std::int64_t shared_memory = 48 * 1024;

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

class ThreadContraction : ProductNest {
 public:
  ThreadContraction(Lowering& lowering, const Stage& stage, const SplitProduct* split)
      : ProductNest(lowering, stage, split),
        sizes_(sizes(n_.extent, bytes(), has_few_rows(few_rows_of_threads))),
        depth_(depth_bytes / std::max(bytes(), least_bytes)) {}

  Body lower() {
    return in_blocks(sizes_.rows(), sizes_.columns(),
                     [&](const Index& row, const Index& column) { return tile(row, column); });
  }

 private:
  Body tile(const Index& row, const Index& column) {
    const kernel::Contraction& c = *stage_.contraction;
    Staging staging = this->staging(sizes_.threads());
    Body body;
    const Panel left = add_panel("left", sizes_.rows(), staging.is_along_k(c.left), body);
    const Panel right = add_panel("right", sizes_.columns(), staging.is_along_k(c.right), body);
    const Shape shape{sizes_.tile_rows, sizes_.tile_columns};
    const BufferId sums = add_buffer("tile", shape, Space::registers, dense_layout(shape), body);
    body.push_back({Fill{whole(sums), stage_.reduction->identity[0]}});
    Loop k = open_k(depth_);
    if (lowering_.chip->asynchronous_copies) make_pipeline(k, left, right, shared_memory);
    Body step = fill(k, staging, {c.left, m_, row, left}, {c.right, n_, column, right});
    append(step, multiply_panels(left, right, sums));
    append(body, around(std::move(k), std::move(step)));
    append(body, epilogue(row, column, sums));
    return body;
  }

  std::int64_t bytes() const { return dlvm::info(type_).bytes; }
  Panel add_panel(const char* name, std::int64_t size, bool is_turned, Body& body) {
    const Shape shape{depth_, size};
    Layout layout = dense_layout(shape);
    if (is_turned) layout.strides[0] = size + padding / bytes();
    return {add_buffer(name, shape, Space::shared, layout, body), depth_, size, false};
  }
  BufferId add_buffer(const char* name, Shape shape, Space space, Layout layout, Body& body) {
    return allocate(
        {stage_.name + "." + name, type_, std::move(shape), space, std::move(layout), false, std::nullopt},
        body);
  }

  Body multiply_panels(const Panel& left, const Panel& right, BufferId sums) {
    auto [down, across] = places(sizes_.down, sizes_.across);
    const Index zero = constant_index(0);
    Body body = multiply(
        whole(sums),
        {left.buffer, {zero, variable(down.id) * sizes_.tile_rows}, {depth_, sizes_.tile_rows}, {}},
        {right.buffer, {zero, variable(across.id) * sizes_.tile_columns}, {depth_, sizes_.tile_columns}, {}});
    return around(std::move(down), around(std::move(across), std::move(body)));
  }

  Body epilogue(const Index& first_row, const Index& first_column, BufferId sums) {
    auto [down, across] = places(sizes_.down, sizes_.across);
    Loop i = open("row", LoopKind::unrolled, sizes_.tile_rows);
    Loop j = open("column", LoopKind::unrolled, sizes_.tile_columns);
    const Index row = first_row + variable(down.id) * sizes_.tile_rows + variable(i.id);
    const Index column = first_column + variable(across.id) * sizes_.tile_columns + variable(j.id);
    i.bounds.push_back({row, m_.extent});
    j.bounds.push_back({column, n_.extent});
    Body body = finished(row, column, {sums, {variable(i.id), variable(j.id)}});
    body = around(std::move(i), around(std::move(j), std::move(body)));
    return around(std::move(down), around(std::move(across), std::move(body)));
  }

  Sizes sizes_;
  std::int64_t depth_;  ///< of a panel, in elements
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
  return stage.body[c.left].type == type && stage.body[c.right].type == type;
}

Body lower_contraction_as_grid(Lowering& lowering, const Stage& stage, const SplitProduct* split) {
  return ThreadContraction(lowering, stage, split).lower();
}

}  // namespace codegen::schedule::gpu
