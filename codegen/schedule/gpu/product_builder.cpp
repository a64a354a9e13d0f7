#include "codegen/schedule/gpu/product_builder.h"

#include <algorithm>

namespace codegen::schedule::gpu {

ProductBuilder::ProductBuilder(GpuLowering& lowering, const kernel::Stage& stage, const SplitProduct* split)
    : lowering_(lowering), stage_(stage), builder_(lowering, stage, {}), split_(split) {
  if (split_ != nullptr) part_ = open("part", LoopKind::block, split_->parts);
  const kernel::Contraction& c = *stage.contraction;
  for (const kernel::Axis& axis : stage.axes) {
    const auto in = [&](const std::vector<kernel::AxisId>& ids) {
      return std::find(ids.begin(), ids.end(), axis.id) != ids.end();
    };
    (in(c.m) ? m : in(c.n) ? n : in(c.k) ? k : batch).add(axis);
  }
}

// ------------------------------------------------------------------------------------------------ loops

Body ProductBuilder::in_blocks(std::int64_t rows, std::int64_t columns, const OfTile& of_tile) {
  const auto tiles = [](const Extent& extent, std::int64_t size) {
    return Extent::floor_divide(extent + Extent(size - 1), Extent(size));
  };
  Loop batches = open("batch", LoopKind::block, batch.extent);
  Loop down = open("rows", LoopKind::block, tiles(m.extent, rows));
  Loop across = open("columns", LoopKind::block, tiles(n.extent, columns));
  batch.bind(variable(batches.id), builder_.outer);
  Body tile = of_tile(variable(down.id) * rows, variable(across.id) * columns);
  Body grid = around_batch(std::move(batches), std::move(down), std::move(across), std::move(tile));
  return split_ == nullptr ? std::move(grid) : around(part_, std::move(grid));
}

Body ProductBuilder::in_order(std::int64_t rows, std::int64_t columns, const OfTile& of_tile) {
  Loop batches = open("batch", LoopKind::serial, batch.extent);
  Loop down = open("rows", LoopKind::serial, m.extent, rows);
  Loop across = open("columns", LoopKind::serial, n.extent, columns);
  batch.bind(variable(batches.id), builder_.outer);
  Body tile = of_tile(variable(down.id), variable(across.id));
  return around_batch(std::move(batches), std::move(down), std::move(across), std::move(tile));
}

Body ProductBuilder::around_batch(Loop batches, Loop down, Loop across, Body tile) {
  Body body = around(std::move(down), around(std::move(across), std::move(tile)));
  return batch.axes.empty() ? std::move(body) : around(std::move(batches), std::move(body));
}

std::pair<Loop, Loop> ProductBuilder::places(std::int64_t down, std::int64_t across) {
  Loop row = open("thread_row", LoopKind::thread, down);
  return {std::move(row), open("thread_column", LoopKind::thread, across)};
}

Loop ProductBuilder::open_k(std::int64_t step, std::int64_t stages) {
  Loop loop = open("k", stages > 1 ? LoopKind::pipeline : LoopKind::serial,
                   split_ == nullptr ? k.extent : split_->chunk, step);
  if (stages > 1) loop.depth = static_cast<std::uint32_t>(stages);
  if (split_ != nullptr) loop.bounds.push_back({first_k(loop), k.extent});
  return loop;
}

Index ProductBuilder::first_k(const Loop& loop) const {
  if (split_ == nullptr) return variable(loop.id);
  return variable(part_.id) * split_->chunk + variable(loop.id);
}

Body ProductBuilder::fill(const Loop& loop, Staging& staging, const Operand& left,
                          const Operand& right) const {
  Body body = staging.stage(left.scalar, left.axes, left.panel, first_k(loop), left.first);
  append(body, staging.stage(right.scalar, right.axes, right.panel, first_k(loop), right.first));
  return body;
}

// ---------------------------------------------------------------------------------------------- buffers

BufferId ProductBuilder::allocate(Buffer buffer, Body& body) {
  const BufferId id = lowering_.add_buffer(std::move(buffer));
  body.push_back({Allocate{id}});
  return id;
}

Tile ProductBuilder::whole(const Panel& panel) const {
  std::vector<Extent> strides = lowering_.schedule.buffers[panel.buffer].layout.strides;
  if (panel.k_minor) std::swap(strides[0], strides[1]);
  return {panel.buffer, {constant_index(0), constant_index(0)}, {panel.depth, panel.size}, strides};
}

Tile ProductBuilder::whole(BufferId sums) const {
  const Shape& shape = lowering_.schedule.buffers[sums].shape;
  return {sums, std::vector<Index>(shape.size(), constant_index(0)), shape, {}};
}

Body ProductBuilder::multiply(Tile to, Tile left, Tile right, Arithmetic arithmetic) {
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

Body ProductBuilder::finished(const Index& row, const Index& column, const Access& sum) {
  Renaming renaming = builder_.outer;
  m.bind(row, renaming);
  n.bind(column, renaming);
  Body body;
  if (split_ == nullptr) {
    builder_.finish(sum, renaming, body);
    return body;
  }
  Access part{split_->partial, {variable(part_.id)}};
  for (const kernel::Axis* axis : axes_of(stage_, kernel::AxisKind::parallel).axes)
    part.indices.push_back(renaming.axes.at(axis->id));
  const ValueId value = builder_.let({builder_.type, Scalar::Load{sum, {}, 0}}, body);
  body.push_back({Store{std::move(part), {}, value, std::nullopt}});
  return body;
}

}  // namespace codegen::schedule::gpu
