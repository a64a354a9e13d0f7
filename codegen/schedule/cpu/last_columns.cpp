// The last columns of a product as rows.
#include "codegen/schedule/cpu/last_columns.h"

namespace codegen::schedule::cpu {

Body LastColumns::allocate(const Extent& tiles) {
  const ProductPlan& plan = nest_.plan;
  panel_ = nest_.add_panel("last", {tiles, plan.last_columns, nest_.whole_vectors(plan.rows)});
  Body body;
  body.push_back({Allocate{panel_}});
  return body;
}

Tile LastColumns::sums(const Index& number) const {
  const Shape& shape = nest_.lowering.schedule.buffers[panel_].shape;
  return {panel_, {number, constant_index(0), constant_index(0)}, {1, shape[1], shape[2]}, {}};
}

Body LastColumns::clear(const Index& number) const {
  Body body;
  body.push_back({Fill{sums(number), nest_.stage.reduction->identity[0]}});
  return body;
}

Body LastColumns::multiply(const Index& number, const Access& left, const Access& right,
                           const Existing& existing) const {
  MultiplyAccumulate multiply;
  multiply.to = sums(number);
  const Extent &columns = multiply.to.sizes[1], &rows = multiply.to.sizes[2];
  const Extent depth = nest_.lowering.schedule.buffers[left.buffer].shape[1];
  multiply.left = {right.buffer, right.indices, {1, depth, columns}, {}};
  multiply.right = {left.buffer, left.indices, {1, depth, rows}, {}};
  multiply.rows = constant_index(columns);
  multiply.columns = existing.rows;
  multiply.count = existing.terms;
  if (nest_.plan.k_block) multiply.arithmetic = Arithmetic::apart;
  Body body;
  body.push_back({std::move(multiply)});
  return body;
}

Body LastColumns::move(const Index& number, Access tile) const {
  ContractionBuilder& builder = nest_.builder;
  Loop column = builder.open("column", LoopKind::serial, nest_.plan.last_columns);
  Loop row = builder.open("row", LoopKind::serial, nest_.plan.rows);
  const Index i = variable(row.id), j = variable(column.id);
  tile.indices.insert(tile.indices.end(), {i, j});
  Body body;
  const ValueId sum = builder.let({builder.type, Scalar::Load{{panel_, {number, j, i}}, {}, 0}}, body);
  body.push_back({Store{std::move(tile), {}, sum, std::nullopt}});
  return around(std::move(column), around(std::move(row), std::move(body)));
}

}  // namespace codegen::schedule::cpu
