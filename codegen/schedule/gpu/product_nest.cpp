#include "codegen/schedule/gpu/product_nest.h"

#include <algorithm>

#include "codegen/schedule/gpu/pipeline.h"

namespace codegen::schedule::gpu {
namespace {

constexpr std::int64_t most_slots = 4;  ///< of a ring of panels

}  // namespace

ProductNest::ProductNest(Lowering& lowering, const kernel::Stage& stage, const SplitProduct* split)
    : ContractionNest(lowering, stage, {}), split_(split) {
  if (split_ != nullptr) part_ = open("part", LoopKind::block, split_->parts);
  const kernel::Contraction& c = *stage.contraction;
  for (const kernel::Axis& axis : stage.axes) {
    const auto in = [&](const std::vector<kernel::AxisId>& ids) {
      return std::find(ids.begin(), ids.end(), axis.id) != ids.end();
    };
    (in(c.m) ? m_ : in(c.n) ? n_ : in(c.k) ? k_ : batch_).add(axis);
  }
}

bool ProductNest::has_few_rows(std::int64_t most) const {
  const auto rows = m_.extent.constant();
  return rows ? *rows <= most : lowering_.few_rows;
}

// ------------------------------------------------------------------------------------------------ loops

Body ProductNest::in_blocks(std::int64_t rows, std::int64_t columns, const OfTile& of_tile) {
  const auto tiles = [](const Extent& extent, std::int64_t size) {
    return Extent::floor_divide(extent + Extent(size - 1), Extent(size));
  };
  Loop batch = open("batch", LoopKind::block, batch_.extent);
  Loop down = open("rows", LoopKind::block, tiles(m_.extent, rows));
  Loop across = open("columns", LoopKind::block, tiles(n_.extent, columns));
  batch_.bind(variable(batch.id), outer_);
  Body tile = of_tile(variable(down.id) * rows, variable(across.id) * columns);
  Body grid = around_batch(std::move(batch), std::move(down), std::move(across), std::move(tile));
  return split_ == nullptr ? std::move(grid) : around(part_, std::move(grid));
}

Body ProductNest::in_order(std::int64_t rows, std::int64_t columns, const OfTile& of_tile) {
  Loop batch = open("batch", LoopKind::serial, batch_.extent);
  Loop down = open("rows", LoopKind::serial, m_.extent, rows);
  Loop across = open("columns", LoopKind::serial, n_.extent, columns);
  batch_.bind(variable(batch.id), outer_);
  Body tile = of_tile(variable(down.id), variable(across.id));
  return around_batch(std::move(batch), std::move(down), std::move(across), std::move(tile));
}

Body ProductNest::around_batch(Loop batch, Loop down, Loop across, Body tile) {
  Body body = around(std::move(down), around(std::move(across), std::move(tile)));
  return batch_.axes.empty() ? std::move(body) : around(std::move(batch), std::move(body));
}

std::pair<Loop, Loop> ProductNest::places(std::int64_t down, std::int64_t across) {
  Loop row = open("thread_row", LoopKind::thread, down);
  return {std::move(row), open("thread_column", LoopKind::thread, across)};
}

Loop ProductNest::open_k(std::int64_t step) {
  Loop loop = open("k", LoopKind::serial, split_ == nullptr ? k_.extent : split_->chunk, step);
  if (split_ != nullptr) loop.bounds.push_back({first_k(loop), k_.extent});
  return loop;
}

Index ProductNest::first_k(const Loop& loop) const {
  if (split_ == nullptr) return variable(loop.id);
  return variable(part_.id) * split_->chunk + variable(loop.id);
}

Body ProductNest::fill(const Loop& k, Staging& staging, const Operand& left, const Operand& right) const {
  Body body = staging.stage(left.scalar, left.axes, left.panel, first_k(k), left.first);
  append(body, staging.stage(right.scalar, right.axes, right.panel, first_k(k), right.first));
  return body;
}

void ProductNest::make_pipeline(Loop& k, const Panel& left, const Panel& right,
                                std::int64_t shared_memory) const {
  std::int64_t each = 0;
  for (const BufferId id : {left.buffer, right.buffer}) {
    const Buffer& panel = lowering_.schedule.buffers[id];
    each += slot_elements(panel).constant().value_or(0) * dlvm::info(panel.element).bytes;
  }
  k.kind = LoopKind::pipeline;
  k.depth = static_cast<std::uint32_t>(std::min(most_slots, shared_memory / each));
}

// ---------------------------------------------------------------------------------------------- buffers

BufferId ProductNest::allocate(Buffer buffer, Body& body) {
  const BufferId id = lowering_.add_buffer(std::move(buffer));
  body.push_back({Allocate{id}});
  return id;
}

Tile ProductNest::whole(const Panel& panel) const {
  std::vector<Extent> strides = lowering_.schedule.buffers[panel.buffer].layout.strides;
  if (panel.k_minor) std::swap(strides[0], strides[1]);
  return {panel.buffer, {constant_index(0), constant_index(0)}, {panel.depth, panel.size}, strides};
}

Tile ProductNest::whole(BufferId sums) const {
  const Shape& shape = lowering_.schedule.buffers[sums].shape;
  return {sums, std::vector<Index>(shape.size(), constant_index(0)), shape, {}};
}

Body ProductNest::multiply(Tile to, Tile left, Tile right, Arithmetic arithmetic) {
  MultiplyAccumulate multiply;
  multiply.rows = constant_index(to.sizes[0]);
  multiply.columns = constant_index(to.sizes[1]);
  multiply.count = constant_index(left.sizes[0]);
  multiply.to = std::move(to);
  multiply.left = std::move(left);
  multiply.right = std::move(right);
  multiply.arithmetic = arithmetic;
  Body body;
  body.push_back({std::move(multiply)});
  return body;
}

Body ProductNest::finished(const Index& row, const Index& column, const Access& sum) {
  Renaming renaming = outer_;
  m_.bind(row, renaming);
  n_.bind(column, renaming);
  Body body;
  if (split_ == nullptr) {
    finish(sum, renaming, body);
    return body;
  }
  Access part{split_->partial, {variable(part_.id)}};
  for (const kernel::Axis* axis : axes_of(stage_, kernel::AxisKind::parallel).axes)
    part.indices.push_back(renaming.axes.at(axis->id));
  const ValueId value = let({type_, Scalar::Load{sum, {}, 0}}, body);
  body.push_back({Store{std::move(part), {}, value, std::nullopt}});
  return body;
}

}  // namespace codegen::schedule::gpu
