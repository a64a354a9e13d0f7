#include "codegen/schedule/cpu/product_nest.h"

#include "codegen/schedule/common/masked_sum.h"

namespace codegen::schedule::cpu {

BufferId ProductNest::add_panel(const char* name, const Shape& shape, Space space) {
  return lowering.add_buffer(
      {stage.name + "." + name, builder.type, shape, space, dense_layout(shape), false, std::nullopt});
}

std::vector<Loop> ProductNest::open(const std::vector<const kernel::Axis*>& all, Renaming& at,
                                    LoopKind kind) {
  std::vector<Loop> loops;
  for (const kernel::Axis* axis : all) {
    loops.push_back(lowering.serial(*axis, at));
    loops.back().kind = kind;
  }
  return loops;
}

Body ProductNest::where(const char* name, Bound holds, Body body) {
  Loop once = builder.open(name, LoopKind::serial, 1);
  once.bounds.push_back(std::move(holds));
  return around(std::move(once), std::move(body));
}

/// Each lane adds up 0 * number, which is 0 unless the number is NaN or infinite.
Body ProductNest::find_nan(Loop lane, std::vector<Loop> loops, Scalar::Load number, BufferId found) {
  const ElementType type = builder.type;
  const BufferId of_lanes = add_panel("lanes", {lanes()}), of_lane = add_panel("lane", {}, Space::registers);
  Body one;
  const ValueId zero = builder.let({type, Scalar::Literal{dlvm::Tensor(type, {})}}, one);
  if (!number.bounds.empty()) number.fill = zero;
  const ValueId value = builder.let({type, std::move(number)}, one);
  const ValueId product = builder.let({type, Scalar::Operation{dlvm::Opcode::multiply, {value, zero}}}, one);
  const ValueId before = builder.let({type, Scalar::Load{{of_lane, {}}, {}, 0}}, one);
  const ValueId after = builder.let({type, Scalar::Operation{dlvm::Opcode::add, {before, product}}}, one);
  one.push_back({Store{{of_lane, {}}, {}, after, std::nullopt}});

  Body each;
  each.push_back({Allocate{of_lane}});
  each.push_back({Fill{{of_lane, {}, {}, {}}, dlvm::Tensor(type, {})}});
  const Index place = variable(lane.id);
  append(each, nested(std::move(loops), std::move(one)));
  const ValueId total = builder.let({type, Scalar::Load{{of_lane, {}}, {}, 0}}, each);
  each.push_back({Store{{of_lanes, {place}}, {}, total, std::nullopt}});

  Body body;
  body.push_back({Allocate{of_lanes}});
  append(body, around(std::move(lane), std::move(each)));
  Reduce reduce{{{of_lanes, {constant_index(0)}, {lanes()}, {}}}, {{found, {}}}, *stage.reduction};
  reduce.reduction.inputs.clear();
  body.push_back({Allocate{found}});
  body.push_back({std::move(reduce)});
  return body;
}

Body ProductNest::find_nan(const Sums& sums, BufferId found) {
  Loop lane = builder.open("lane", LoopKind::vector, lanes());
  Loop i = builder.open("row", LoopKind::serial, sums.rows);
  Loop copy = builder.open("copy", LoopKind::serial, plan.columns, lanes());
  const Index inside = variable(copy.id) + variable(lane.id);
  i.bounds.push_back({sums.row + variable(i.id), sums.m.extent});
  copy.bounds.push_back({sums.column + variable(copy.id), sums.n.extent});
  Scalar::Load sum{sums.first, {}, 0};
  sum.access.indices.insert(sum.access.indices.end(), {sums.inside + variable(i.id), inside});
  const auto columns = sums.n.extent.constant();
  if (!columns || *columns % lanes() != 0) sum.bounds.push_back({sums.column + inside, sums.n.extent});
  std::vector<Loop> loops;
  loops.push_back(std::move(i));
  loops.push_back(std::move(copy));
  return find_nan(std::move(lane), std::move(loops), std::move(sum), found);
}

Body ProductNest::test_left(BufferId panel, std::int64_t rows, std::int64_t all) {
  if (!has_masked_terms(stage)) return {};
  nan_of_left_ = add_panel("left_nan", {});
  const Shape& shape = lowering.schedule.buffers[panel].shape;
  Loop lane = builder.open("lane", LoopKind::vector, lanes());
  Loop part = builder.open("part", LoopKind::serial, shape[0]);
  Loop copy = builder.open("copy", LoopKind::serial, *shape[2].constant(), lanes());
  Loop term = builder.open("term", LoopKind::serial, shape[1]);
  const Index inside = variable(copy.id) + variable(lane.id);
  Scalar::Load element{{panel, {variable(part.id), variable(term.id), inside}}, {{inside, rows}}, 0};
  if (all % rows != 0) element.bounds.push_back({variable(part.id) * Extent(rows) + inside, all});
  std::vector<Loop> loops;
  loops.push_back(std::move(part));
  loops.push_back(std::move(copy));
  loops.push_back(std::move(term));
  return find_nan(std::move(lane), std::move(loops), std::move(element), *nan_of_left_);
}

Body ProductNest::repeat(const Sums& sums, const Renaming& at) {
  if (!has_masked_terms(stage)) return {};
  const BufferId found = add_sum(builder, "found"), again = add_sum(builder, "again");
  Body body = find_nan(sums, found);
  const ValueId some = builder.let({builder.type, Scalar::Load{{found, {}}, {}, 0}}, body);
  const ValueId is_some = is_nan(builder, some, body);

  Loop i = builder.open("row", LoopKind::serial, sums.rows);
  Loop j = builder.open("column", LoopKind::serial, plan.columns);
  const Index row = sums.row + variable(i.id), column = sums.column + variable(j.id);
  i.bounds.push_back({row, sums.m.extent});
  j.bounds.push_back({column, sums.n.extent});
  Renaming here = at;
  sums.m.bind(row, here);
  sums.n.bind(column, here);
  Access element = sums.first;
  element.indices.insert(element.indices.end(), {sums.inside + variable(i.id), variable(j.id)});
  Body one;
  const ValueId sum = builder.let({builder.type, Scalar::Load{element, {}, 0}}, one);
  const ValueId is_wrong = is_nan(builder, sum, one);
  Body new_sum = sum_terms(builder, again, axes.k, constant_index(0), axes.k.extent, here);
  const ValueId value = builder.let({builder.type, Scalar::Load{{again, {}}, {}, 0}}, new_sum);
  new_sum.push_back({Store{element, {}, value, std::nullopt}});
  append(one, where_one(builder, is_wrong, std::move(new_sum)));
  append(body, where_one(builder, is_some, around(std::move(i), around(std::move(j), std::move(one)))));
  if (!nan_of_left_) return body;
  Body all;
  const ValueId of_left = builder.let({builder.type, Scalar::Load{{*nan_of_left_, {}}, {}, 0}}, all);
  const ValueId has_nan = is_nan(builder, of_left, all);
  append(all, where_one(builder, has_nan, std::move(body)));
  return all;
}

Body ProductNest::finish(const Sums& sums, const Renaming& at) {
  if (!treats_whole_tiles(sums.n)) return finish_tile(sums, at, false);
  return by_wholeness(sums, [&](bool is_whole) { return finish_tile(sums, at, is_whole); });
}

Body ProductNest::finish_tile(const Sums& sums, const Renaming& outer, bool is_whole) {
  Renaming at = outer;
  Body all = repeat(sums, at);
  const auto kind = is_whole ? LoopKind::unrolled : LoopKind::serial;
  Loop i = builder.open("row", kind, sums.rows);
  const auto columns = sums.n.extent.constant();
  const bool are_whole_rows = columns && *columns % plan.columns == 0 && plan.columns <= 2 * lanes();
  const std::int64_t width =
      are_whole_rows && interleaves(stage.epilogue, lowering.target) ? plan.columns : lanes();
  Loop copy = builder.open("copy", kind, plan.columns, width);
  Loop lane = builder.open("lane", LoopKind::vector, width);
  const Index inside = variable(copy.id) + variable(lane.id);
  const Index row = sums.row + variable(i.id), column = sums.column + inside;
  if (!is_whole) {
    i.bounds.push_back({row, sums.m.extent});
    copy.bounds.push_back({sums.column + variable(copy.id), sums.n.extent});
    if (!columns || *columns % lanes() != 0) lane.bounds.push_back({column, sums.n.extent});
  }
  sums.m.bind(row, at);
  sums.n.bind(column, at);
  Access element = sums.first;
  element.indices.insert(element.indices.end(), {sums.inside + variable(i.id), inside});
  Body body;
  builder.finish(element, at, body);
  append(all, around(std::move(i), around(std::move(copy), around(std::move(lane), std::move(body)))));
  return all;
}

bool ProductNest::treats_whole_tiles(const AxisGroup& n) const {
  constexpr std::size_t few = 4;  // scalars, whose vectors stay in registers beside those of a tile
  if (n.extent.constant() || plan.columns % lanes() != 0 || has_masked_terms(stage)) return false;
  if (stage.epilogue.size() > few || interleaves(stage.epilogue, lowering.target)) return false;
  return std::ranges::all_of(stage.epilogue,
                             [&](const Scalar& scalar) { return scalar.type == builder.type; });
}

Index ProductNest::missing_sides(const Sums& sums) const {
  constexpr std::int64_t more = std::int64_t{1} << 40;  // than all rows or columns
  const auto has_missing = [](const AxisGroup& group, const Index& first, std::int64_t count) {
    const auto all = group.extent.constant();
    if (all && *all % count == 0) return constant_index(0);
    return kernel::quotient_index({Index::Quotient::Kind::floor,
                                   first + constant_index(Extent(more + count - 1) - group.extent), more});
  };
  return has_missing(sums.m, sums.row, sums.rows) + has_missing(sums.n, sums.column, plan.columns);
}

Index less(const Extent& from, const Index& index) { return constant_index(from) + index * Extent(-1); }

}  // namespace codegen::schedule::cpu
