#include "codegen/schedule/gpu/row_tile_builder.h"

#include <algorithm>
#include <bit>

#include "codegen/kernel/ir/contraction.h"
#include "codegen/kernel/ir/walk.h"
#include "codegen/schedule/common/contraction_builder.h"
#include "codegen/schedule/gpu/choose_product.h"
#include "codegen/schedule/ir/linear_layout.h"
#include "codegen/schedule/ir/walk.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::Axis;
using kernel::AxisId;
using kernel::AxisKind;
using kernel::ScalarId;
using kernel::Stage;

/// Each of the warps down has as many rows as the instruction.
constexpr std::int64_t warps_down = RowTileBuilder::tile_rows / matrix_instruction.rows;
/// The warps across, if the sums have columns for them: with half of the sums a thread has room for operands.
constexpr std::int64_t most_across = 2;

bool contains(const std::vector<AxisId>& ids, AxisId id) { return std::ranges::count(ids, id) > 0; }

AxisId first_free_axis(const kernel::Kernel& kernel) {
  AxisId next = 0;
  kernel::walk<Axis>(kernel.root, [&](const Axis& axis) { next = std::max(next, axis.id + 1); });
  return next;
}

/// Returns the terms of a panel of a tile, and the number of panels that a tile has.
std::int64_t depth_of(ElementType element) { return panel_bytes / dlvm::info(element).bytes; }
std::int64_t panels_of(ElementType element) { return RowTileBuilder::tile_columns / depth_of(element); }

/// Returns the operand as it is in panels of that type.
ScalarId in_panel(const Stage& stage, ScalarId operand, ElementType element) {
  return element == ElementType::f32 ? operand : source_of(stage, operand);
}

}  // namespace

ElementType panel_type(const Stage& stage) {
  const ElementType left = stage.body[source_of(stage, stage.contraction->left)].type,
                    right = stage.body[source_of(stage, stage.contraction->right)].type;
  return left == right ? left : ElementType::f32;
}

RowTileBuilder::RowTileBuilder(GpuLowering& lowering, const ColumnBlock& block, const std::vector<AxisId>& m)
    : lowering_(lowering),
      block_(block),
      column_(block.column()),
      row_in_tile_(first_free_axis(lowering.kernel)),
      column_in_tile_(row_in_tile_ + 1),
      across_(most_across) {
  for (const Axis& axis : block.rows->axes) (contains(m, axis.id) ? rows_ : batch_).add(axis);
}

// ------------------------------------------------------------------------------------------------ buffers

std::int64_t RowTileBuilder::threads() const { return warps_down * across_ * warp_threads; }

std::int64_t RowTileBuilder::columns_of(const TileStage& stage) {
  const std::int64_t columns = *stage.product.n.extent.constant();
  return std::max(matrix_instruction.columns,
                  static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(columns))));
}

SumTile RowTileBuilder::sum_tile(const TileStage& stage) const {
  return {tile_rows, columns_of(stage), warps_down, across_};
}

void RowTileBuilder::share(const std::vector<const TileStage*>& stages) {
  for (const TileStage* stage : stages)
    across_ = std::min(across_, columns_of(*stage) / matrix_instruction.columns);
}

BufferId RowTileBuilder::add_panel(std::string name, std::int64_t size, ElementType element,
                                   bool is_along_k) {
  const PanelPlan plan = tensor_panel(depth_of(element), size, element, is_along_k, lowering_.target);
  return lowering_.add_buffer(
      {std::move(name), element, plan.shape, Space::shared, plan.layout, false, std::nullopt});
}

/// Makes the panel one for each part of a tile's columns, whose number has been put in front of accesses.
void RowTileBuilder::repeat_panel(BufferId panel) {
  Buffer& buffer = lowering_.schedule.buffers[panel];
  buffer.shape.insert(buffer.shape.begin(), panels_of(buffer.element));
  buffer.layout.strides = dense_layout(buffer.shape).strides;
}

/// Returns the panel of that operand, or those of a whole tile, which all products share whose panels have
/// the same form. It is allocated, and has a name, for the first of them.
BufferId RowTileBuilder::shared_panel(const TileStage& of, const PanelKey& key, Body& body) {
  const auto [known, is_new] = panels_.try_emplace(key);
  if (is_new) {
    known->second = add_panel(of.stage.name + "." + key.operand, key.size, key.element, key.is_along_k);
    if (key.is_whole) whole_.push_back(known->second);
    body.push_back({Allocate{known->second}});
  }
  return known->second;
}

BufferId RowTileBuilder::add_tile(std::string name, ElementType element) {
  const BufferId id = add_panel(std::move(name), tile_rows, element, true);
  repeat_panel(id);
  return id;
}

std::vector<Index> RowTileBuilder::place(BufferId tile, const Index& row, const Index& column) const {
  using Kind = Index::Quotient::Kind;
  const std::int64_t depth = depth_of(lowering_.schedule.buffers[tile].element);
  return {kernel::quotient_index({Kind::floor, column, depth}), row,
          kernel::quotient_index({Kind::modulo, column, depth})};
}

Stage RowTileBuilder::in_tile(Stage stage) const {
  stage.accumulated.clear();
  std::vector<Axis> axes;
  for (const Axis& axis : block_.rows->axes)
    if (contains(stage.contraction->m, axis.id)) axes.push_back(axis);
  axes.push_back(column_);
  if (contains(stage.contraction->k, column_.id)) axes.back().kind = AxisKind::reduced;
  stage.axes.insert(stage.axes.begin(), axes.begin(), axes.end());
  std::ranges::stable_partition(stage.axes, [](const Axis& axis) { return axis.kind == AxisKind::parallel; });
  visit_accesses(stage, [&](Access& access, const auto&, bool) {
    if (const auto found = tiles_.find(access.buffer); found != tiles_.end())
      access = {found->second, place(found->second, variable(row_in_tile_), variable(column_in_tile_))};
  });
  return stage;
}

BufferId RowTileBuilder::allocate_sums(TileStage& of, const std::string& name, const dlvm::Tensor& value,
                                       Body& body) {
  const BufferId sums = of.product.allocate(sums_of(sum_tile(of), name), body);
  body.push_back({Fill{of.product.whole(sums), value}});
  return sums;
}

// -------------------------------------------------------------------------------------------------- loops

Loop RowTileBuilder::open(const char* name, LoopKind kind, Extent extent, std::int64_t step) {
  return new_loop(lowering_, name, kind, std::move(extent), step);
}

Body RowTileBuilder::grid(const std::vector<TileStage*>& stages, const std::function<Body()>& of_rows) {
  Loop batches = open("batch", LoopKind::block, batch_.extent);
  Loop down = open("rows", LoopKind::block,
                   Extent::floor_divide(rows_.extent + Extent(tile_rows - 1), Extent(tile_rows)));
  batch_.bind(variable(batches.id), outer_);
  for (const auto& [axis, index] : outer_.axes)
    for (TileStage* stage : stages) stage->product.bind(axis, index);
  first_row_ = variable(down.id) * tile_rows;
  Body body = around(std::move(down), of_rows());
  for (const BufferId panel : whole_) repeat_panel(panel);
  return batch_.axes.empty() ? std::move(body) : around(std::move(batches), std::move(body));
}

Body RowTileBuilder::for_tiles(const std::function<Body(const Index& first_column)>& of_tile) {
  Loop columns = open("columns", LoopKind::serial, column_.extent, tile_columns);
  Body body = of_tile(variable(columns.id));
  return around(std::move(columns), std::move(body));
}

Body RowTileBuilder::for_rows(bool all, const std::function<void(const Index& row, Body& body)>& of) {
  Loop row = open("row", LoopKind::thread, tile_rows);
  Loop inside = open("inside", LoopKind::unrolled, 1);
  if (!all) inside.bounds.push_back({first_row_ + variable(row.id), rows_.extent});
  Body body;
  of(variable(row.id), body);
  return around(std::move(row), around(std::move(inside), std::move(body)));
}

Body RowTileBuilder::for_elements(const Index& first_column, const OfPart& of, const OfPart& begin,
                                  const OfPart& end) {
  Loop row = open("row", LoopKind::thread, tile_rows), part = open("part", LoopKind::thread, row_threads());
  Loop inside = open("inside", LoopKind::unrolled, 1);
  inside.bounds.push_back({first_row_ + variable(row.id), rows_.extent});
  Loop step = open("step", LoopKind::serial, tile_columns / row_threads());
  RowPart here{variable(row.id), variable(part.id), variable(step.id) * row_threads() + variable(part.id),
               outer_};
  step.bounds.push_back({first_column + here.column, column_.extent});
  rows_.bind(first_row_ + here.row, here.at);
  here.at.axes[column_.id] = first_column + here.column;
  here.at.axes[row_in_tile_] = here.row;
  here.at.axes[column_in_tile_] = here.column;
  Body body, each;
  if (begin) begin(here, body);
  of(here, each);
  append(body, around(std::move(step), std::move(each)));
  if (end) end(here, body);
  return around(std::move(row), around(std::move(part), around(std::move(inside), std::move(body))));
}

Body RowTileBuilder::for_sums(const TileStage& stage, bool within,
                              const std::function<void(const Index&, const Index&, Body&)>& of) {
  SumLoops loops = visit_sums(lowering_, sum_tile(stage));
  if (within) loops.within(first_row_, rows_.extent, constant_index(0), stage.product.n.extent);
  Body body;
  of(loops.row, loops.column, body);
  return std::move(loops).around(std::move(body));
}

// ----------------------------------------------------------------------------------------------- products

Body RowTileBuilder::multiply(Tile to, Tile left, Tile right, ElementType element) const {
  const bool splits = element == ElementType::f32 && !lowering_.tf32;
  return ProductBuilder::multiply(std::move(to), std::move(left), std::move(right),
                                  splits ? Arithmetic::tensor_split : Arithmetic::tensor);
}

Body RowTileBuilder::multiply_elements(TileStage& of, const Index& first_column, std::int64_t stages) {
  const kernel::Contraction& c = *of.stage.contraction;
  const ElementType element = panel_type(of.stage);
  const SumTile tile{tile_rows, tile_columns, warps_down, across_};
  Body body;
  body.push_back({origin(of.stage, "in tiles of " + std::to_string(tile_rows) + " x " +
                                       std::to_string(tile_columns) + " on tensor cores")});
  const ScalarId left_operand = in_panel(of.stage, c.left, element),
                 right_operand = in_panel(of.stage, c.right, element);
  const auto panel = [&](const char* side, ScalarId operand, std::int64_t size) {
    const bool is_along_k = is_contiguous(of.stage, lowering_.schedule.buffers, operand, of.product.k);
    Panel result{0, depth_of(element), size, is_along_k};
    if (stages == 1) {
      result.buffer = shared_panel(of, {side, size, element, is_along_k, false}, body);
    } else {
      result.buffer = add_panel(of.stage.name + "." + side, size, element, is_along_k);
      body.push_back({Allocate{result.buffer}});
    }
    return result;
  };
  const Panel left = panel("left", left_operand, tile_rows),
              right = panel("right", right_operand, tile_columns);
  const BufferId sums = of.product.allocate(sums_of(tile, of.stage.name + ".sums"), body);
  body.push_back({Fill{of.product.whole(sums), of.stage.reduction->identity[0]}});
  Staging staging = of.product.staging(threads());
  Loop k = of.product.open_k(left.depth, lowering_.target.asynchronous_copies ? stages : 1);
  Body step = of.product.fill(k, staging, {left_operand, of.product.m, first_row_, left},
                              {right_operand, of.product.n, first_column, right});
  append(step, multiply(of.product.whole(sums), of.product.whole(left), of.product.whole(right), element));
  append(body, around(std::move(k), std::move(step)));
  SumLoops loops = visit_sums(lowering_, tile);
  loops.within(first_row_, rows_.extent, first_column, column_.extent);
  of.product.bind(row_in_tile_, loops.row);
  of.product.bind(column_in_tile_, loops.column);
  Body each = of.product.finished(std::move(loops.own), first_row_ + loops.row, first_column + loops.column,
                                  {sums, {loops.row, loops.column}});
  append(body, nested(std::move(loops.threads), std::move(each)));
  return body;
}

Body RowTileBuilder::add_product(TileStage& of, BufferId tile, const Index& first_column, BufferId sums) {
  const ElementType element = lowering_.schedule.buffers[tile].element;
  const std::int64_t depth = depth_of(element), columns = columns_of(of);
  const ScalarId operand = in_panel(of.stage, of.stage.contraction->right, element);
  const bool is_along_k = is_contiguous(of.stage, lowering_.schedule.buffers, operand, of.product.k);
  Body body;
  const BufferId right = shared_panel(of, {"right", columns, element, is_along_k, true}, body);
  Staging staging = of.product.staging(threads());
  for (std::int64_t panel = 0; panel < panels_of(element); ++panel) {
    Body staged = staging.stage(operand, of.product.n, {right, depth, columns, is_along_k},
                                first_column + constant_index(panel * depth), constant_index(0));
    visit_buffer_accesses(staged, [&](const BufferAccess& used) {
      if (used.buffer == right) used.put_in_front(constant_index(panel));
    });
    append(body, std::move(staged));
  }
  for (std::int64_t panel = 0; panel < panels_of(element); ++panel)
    append(body, multiply(of.product.whole(sums), tile_of(tile, panel, tile_rows, true),
                          tile_of(right, panel, columns, is_along_k), element));
  return body;
}

/// Returns one panel of a tile's columns as a tile [k, other].
Tile RowTileBuilder::tile_of(BufferId buffer, std::int64_t panel, std::int64_t size, bool is_along_k) const {
  const Buffer& panels = lowering_.schedule.buffers[buffer];
  std::vector<Extent> strides(panels.layout.strides.end() - 2, panels.layout.strides.end());
  if (is_along_k) std::swap(strides[0], strides[1]);
  const Index zero = constant_index(0);
  return {buffer, {constant_index(panel), zero, zero}, {depth_of(panels.element), size}, std::move(strides)};
}

void RowTileBuilder::finish(const TileStage& of, const Index& row, const Index& column,
                            const std::vector<Access>& states, Body& body) {
  Renaming at = outer_;
  rows_.bind(first_row_ + row, at);
  of.product.n.bind(column, at);
  ContractionBuilder(lowering_, of.stage, outer_).finish(states, at, body);
}

Body RowTileBuilder::clear_rows(BufferId tile) {
  return clear(tile, first_row_, tile_rows, rows_.extent, [](const Index& row, const Index&) { return row; });
}

Body RowTileBuilder::clear_columns(BufferId tile, const Index& first_column) {
  return clear(tile, first_column, tile_columns, column_.extent,
               [](const Index&, const Index& column) { return column; });
}

/// Returns what sets to zero the elements of the tile beyond the end of the matrix, along its rows or along
/// its columns: the matrix has `count` of these, and the tile has `size` of them from `first` on. `place_of`
/// returns the one of an element.
Body RowTileBuilder::clear(BufferId tile, const Index& first, std::int64_t size, const Extent& count,
                           const std::function<Index(const Index& row, const Index& column)>& place_of) {
  if (const auto whole = count.constant(); whole && *whole % size == 0) return {};
  const ElementType element = lowering_.schedule.buffers[tile].element;
  Loop is_last = open("last", LoopKind::serial, 1);
  const Index beyond = first + constant_index(count) * Extent(-1);
  is_last.bounds.push_back({beyond + constant_index(size - 1), size});
  Loop row = open("row", LoopKind::thread, tile_rows), part = open("part", LoopKind::thread, row_threads());
  Loop step = open("step", LoopKind::serial, tile_columns / row_threads());
  const Index column = variable(step.id) * row_threads() + variable(part.id);
  Body each;
  const ValueId zero = lowering_.next_value++;
  each.push_back({Let{zero, {element, Scalar::Literal{dlvm::Tensor(element, {})}}}});
  each.push_back({Store{{tile, place(tile, variable(row.id), column)},
                        {{beyond + place_of(variable(row.id), column), size}},
                        zero,
                        std::nullopt}});
  return nested({std::move(is_last), std::move(row), std::move(part), std::move(step)}, std::move(each));
}

}  // namespace codegen::schedule::gpu
