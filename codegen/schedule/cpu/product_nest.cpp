#include "codegen/schedule/cpu/product_nest.h"

namespace codegen::schedule::cpu {

BufferId ProductNest::add_panel(const char* name, const Shape& shape, Space space) {
  return lowering.add_buffer(
      {stage.name + "." + name, builder.type, shape, space, dense_layout(shape), false, std::nullopt});
}

std::vector<Loop> ProductNest::open(const std::vector<const kernel::Axis*>& all, Renaming& at) {
  std::vector<Loop> loops;
  for (const kernel::Axis* axis : all) loops.push_back(lowering.serial(*axis, at));
  return loops;
}

Body ProductNest::add_tile(BufferId tile, Access total) {
  Loop row = builder.open("row", LoopKind::serial, plan.rows);
  Loop copy = builder.open("copy", LoopKind::unrolled, plan.columns / lanes());
  Loop lane = builder.open("lane", LoopKind::vector, lanes());
  const Index column = variable(copy.id) * Extent(lanes()) + variable(lane.id);
  total.indices.insert(total.indices.end(), {variable(row.id), column});
  Body body = builder.add({tile, {variable(row.id), column}}, std::move(total));
  return around(std::move(row), around(std::move(copy), around(std::move(lane), std::move(body))));
}

Body ProductNest::finish(const Sums& sums, Renaming at) {
  Loop i = builder.open("row", LoopKind::serial, sums.rows);
  Loop copy = builder.open("copy", LoopKind::serial, plan.columns, lanes());
  Loop lane = builder.open("lane", LoopKind::vector, lanes());
  const Index inside = variable(copy.id) + variable(lane.id);
  const Index row = sums.row + variable(i.id), column = sums.column + inside;
  i.bounds.push_back({row, sums.m.extent});
  copy.bounds.push_back({sums.column + variable(copy.id), sums.n.extent});
  lane.bounds.push_back({column, sums.n.extent});
  sums.m.bind(row, at);
  sums.n.bind(column, at);
  Access element = sums.first;
  element.indices.insert(element.indices.end(), {sums.inside + variable(i.id), inside});
  Body body;
  builder.finish(element, at, body);
  return around(std::move(i), around(std::move(copy), around(std::move(lane), std::move(body))));
}

Index less(const Extent& from, const Index& index) { return constant_index(from) + index * Extent(-1); }

}  // namespace codegen::schedule::cpu
