#include "codegen/schedule/gpu/product_builder.h"

#include <algorithm>

#include "codegen/schedule/common/masked_sum.h"

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

namespace {

/// Returns loops of another kind with fresh variables over the same values, which `renaming` puts in place of
/// those of `loops`.
std::vector<Loop> copies(ContractionBuilder& builder, const std::vector<Loop>& loops, LoopKind kind,
                         Renaming& renaming) {
  std::vector<Loop> result;
  for (const Loop& loop : loops) {
    result.push_back(builder.open(loop.name.c_str(), kind, loop.extent, loop.step));
    renaming.axes[loop.id] = variable(result.back().id);
    if (kind == LoopKind::serial) result.back().bounds = rename(loop.bounds, renaming);
  }
  return result;
}

}  // namespace

Body ProductBuilder::finished(std::vector<Loop> each, const Index& row, const Index& column,
                              const Access& sum) {
  Body body = repeat(each, row, column, sum);
  append(body, nested(std::move(each), finish_one(row, column, sum)));
  return body;
}

/// Registers have constant indices after unrolling. So that the code of a sum is there once, a serial loop
/// computes the sums, and unrolled loops in it find the register that each one is for.
Body ProductBuilder::repeat(const std::vector<Loop>& each, const Index& row, const Index& column,
                            const Access& sum) {
  if (!has_masked_terms(stage_)) return {};
  const ElementType type = builder_.type;
  const BufferId found = add_sum(builder_, "found"), again = add_sum(builder_, "again");
  const auto load = [&](Access from, Body& to) {
    return builder_.let({type, Scalar::Load{std::move(from), {}, 0}}, to);
  };

  // 0 * sum is 0 unless the sum is NaN or infinite.
  Renaming to_copy;
  std::vector<Loop> all = copies(builder_, each, LoopKind::unrolled, to_copy);
  Body look, body;
  const ValueId zero = builder_.let({type, Scalar::Literal{dlvm::Tensor(type, {})}}, look);
  const ValueId factor = load(rename(sum, to_copy), look);
  const ValueId product =
      builder_.let({type, Scalar::Operation{dlvm::Opcode::multiply, {factor, zero}}}, look);
  const ValueId before = load({found, {}}, look);
  const ValueId after = builder_.let({type, Scalar::Operation{dlvm::Opcode::add, {before, product}}}, look);
  look.push_back({Store{{found, {}}, {}, after, std::nullopt}});
  body.push_back({Allocate{found}});
  body.push_back({Fill{{found, {}, {}, {}}, dlvm::Tensor(type, {})}});
  append(body, nested(std::move(all), std::move(look)));
  const ValueId is_some = is_nan(builder_, load({found, {}}, body), body);

  Renaming to_serial, to_own;
  std::vector<Loop> serial = copies(builder_, each, LoopKind::serial, to_serial),
                    own = copies(builder_, each, LoopKind::unrolled, to_own);
  Renaming at = builder_.outer;
  m.bind(rename(row, to_serial), at);
  n.bind(rename(column, to_serial), at);
  const Index first = split_ == nullptr ? constant_index(0) : variable(part_.id) * split_->chunk;
  Body one = sum_terms(builder_, again, k, first, split_ == nullptr ? k.extent : split_->chunk, at);
  Body set;
  const Access element = rename(sum, to_own);
  const ValueId is_wrong = is_nan(builder_, load(element, set), set);
  Store store{element, {{kernel::loaded_index(is_wrong) + constant_index(-1), 1}}, 0, std::nullopt};
  for (std::size_t i = 0; i < each.size(); ++i)
    store.bounds.push_back({variable(serial[i].id) + variable(own[i].id) * Extent(-1), 1});
  store.value = load({again, {}}, set);
  set.push_back({std::move(store)});
  append(one, nested(std::move(own), std::move(set)));
  append(body, where_one(builder_, is_some, nested(std::move(serial), std::move(one))));
  return body;
}

Body ProductBuilder::finish_one(const Index& row, const Index& column, const Access& sum) {
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
