#include "codegen/schedule/gpu/team_product.h"

#include <algorithm>

#include "codegen/schedule/gpu/panel.h"

namespace codegen::schedule {
namespace {

using kernel::Axis;
using kernel::AxisId;
using kernel::Stage;

constexpr std::int64_t depth = 16, threads = 256;
/// Elements of the panels' rows, and of the padding behind each.
constexpr std::int64_t most_rows = 32, most_columns = 64, padding = 4;

/// Threads across the columns and down the rows. A thread's results are of one row, so that they are all
/// there or none, and what is multiplied need not wait in registers: `parts` runs of `width` columns each.
struct Sizes {
  std::int64_t across, down, width, parts;
  std::int64_t rows() const { return down; }
  std::int64_t columns() const { return across * width * parts; }
};
Sizes sizes(const Extent& n) {
  const std::int64_t columns = n.constant().value_or(most_columns);
  if (columns <= 8) return {8, 32, 1, 1};
  if (columns <= 16) return {8, 32, 2, 1};
  if (columns <= 32) return {8, 32, 4, 1};
  if (columns % 8 == 0 && n.constant()) return {8, 32, 4, 2};
  return {16, 16, 4, 1};
}

class TeamProduct : ContractionNest {
 public:
  TeamProduct(Lowering& lowering, const Stage& stage) : ContractionNest(lowering, stage, {}) {
    const kernel::Contraction& c = *stage.contraction;
    for (const Axis& axis : stage.axes) {
      const auto in = [&](const std::vector<AxisId>& ids) {
        return std::find(ids.begin(), ids.end(), axis.id) != ids.end();
      };
      (in(c.m) ? m_ : in(c.n) ? n_ : in(c.k) ? k_ : batch_).add(axis);
    }
    sizes_ = sizes(n_.extent);
  }

  Body lower(ProductPanels& panels) {
    const auto found = panels.of_type.find(type_);
    if (found == panels.of_type.end())
      panels_ = panels.of_type[type_] = {add_panel("left", most_rows), add_panel("right", most_columns)};
    else
      panels_ = found->second;
    Loop batch = open("batch", LoopKind::serial, batch_.extent);
    Loop down = open("rows", LoopKind::serial, m_.extent, sizes_.rows());
    Loop across = open("columns", LoopKind::serial, n_.extent, sizes_.columns());
    batch_.bind(variable(batch.id), outer_);
    Body body = tile(variable(down.id), variable(across.id));
    body = around(std::move(down), around(std::move(across), std::move(body)));
    return batch_.axes.empty() ? std::move(body) : around(std::move(batch), std::move(body));
  }

 private:
  BufferId add_panel(const char* name, std::int64_t row) {
    Layout layout = dense_layout({depth, row});
    layout.strides[0] = row + padding;
    return lowering_.add_buffer({std::string("panel.") + name,
                                 type_,
                                 {depth, row},
                                 Space::shared,
                                 std::move(layout),
                                 false,
                                 std::nullopt});
  }

  /// The results from that row and column on.
  Body tile(const Index& row, const Index& column) {
    const Shape shape{sizes_.parts, sizes_.width};
    tile_ = lowering_.add_buffer(
        {stage_.name + ".tile", type_, shape, Space::registers, dense_layout(shape), false, std::nullopt});
    const Index zero = constant_index(0);
    Body body;
    body.push_back({Allocate{tile_}});
    body.push_back({Fill{{tile_, {zero, zero}, shape, {}}, stage_.reduction->identity[0]}});
    Loop k = open("k", LoopKind::serial, k_.extent, depth);
    const kernel::Contraction& c = *stage_.contraction;
    Staging staging(lowering_, stage_, outer_, k_, threads);
    const Panel left{panels_.left, depth, sizes_.rows(), false},
        right{panels_.right, depth, sizes_.columns(), false};
    Body step = staging.stage(c.left, m_, left, variable(k.id), row);
    append(step, staging.stage(c.right, n_, right, variable(k.id), column));
    append(step, multiply());
    append(body, around(std::move(k), std::move(step)));
    append(body, epilogue(row, column));
    return body;
  }

  /// The threads' places: two loops that every use opens alike.
  std::pair<Loop, Loop> places() {
    return {open("thread_row", LoopKind::thread, sizes_.down),
            open("thread_column", LoopKind::thread, sizes_.across)};
  }

  /// The first column of a thread's part.
  Index column_of(const Loop& across, const Index& part) const {
    return variable(across.id) * sizes_.width + part * (sizes_.across * sizes_.width);
  }

  Body multiply() {
    auto [down, across] = places();
    Body body;
    for (std::int64_t part = 0; part < sizes_.parts; ++part) {
      const Index zero = constant_index(0), own = constant_index(part);
      MultiplyAccumulate multiply;
      multiply.to = {tile_, {own, zero}, {1, sizes_.width}, {}};
      multiply.left = {panels_.left, {zero, variable(down.id)}, {depth, 1}, {}};
      multiply.right = {panels_.right, {zero, column_of(across, own)}, {depth, sizes_.width}, {}};
      multiply.rows = constant_index(1);
      multiply.columns = constant_index(sizes_.width);
      multiply.count = constant_index(depth);
      body.push_back({std::move(multiply)});
    }
    return around(std::move(down), around(std::move(across), std::move(body)));
  }

  Body epilogue(const Index& first_row, const Index& first_column) {
    auto [down, across] = places();
    Loop one = open("row", LoopKind::unrolled, 1);
    Loop part = open("part", LoopKind::unrolled, sizes_.parts);
    Loop j = open("column", LoopKind::unrolled, sizes_.width);
    const Index row = first_row + variable(down.id);
    const Index column = first_column + column_of(across, variable(part.id)) + variable(j.id);
    one.bounds.push_back({row, m_.extent});
    j.bounds.push_back({column, n_.extent});
    Renaming renaming = outer_;
    m_.bind(row, renaming);
    n_.bind(column, renaming);
    Body body;
    finish({tile_, {variable(part.id), variable(j.id)}}, renaming, body);
    body = around(std::move(part), around(std::move(j), std::move(body)));
    body = around(std::move(one), std::move(body));
    return around(std::move(down), around(std::move(across), std::move(body)));
  }

  Sizes sizes_;
  AxisGroup batch_, m_, n_, k_;
  ProductPanels::Pair panels_{};
  BufferId tile_ = 0;
};

}  // namespace

Body lower_product_for_block(Lowering& lowering, const Stage& stage, ProductPanels& panels) {
  return TeamProduct(lowering, stage).lower(panels);
}

}  // namespace codegen::schedule
