#include "codegen/schedule/common/loop_nest_builder.h"

#include <algorithm>

#include "dlvm/support/internal_error.h"

namespace codegen::schedule {

using kernel::AxisKind;

// ------------------------------------------------------------------------------------------------ loops

void LoopNestBuilder::open_serial(const kernel::Axis& axis) {
  if (axis.extent.is(1)) {
    renaming.axes[axis.id] = constant_index(0);
    return;
  }
  loops.push_back(lowering.serial(axis, renaming));
}

void LoopNestBuilder::open_serial(AxisKind kind) {
  for (const kernel::Axis& axis : stage.axes)
    if (axis.kind == kind && renaming.axes.count(axis.id) == 0) open_serial(axis);
}

Loop& LoopNestBuilder::open(std::string name, LoopKind kind, Extent extent, std::int64_t step) {
  Loop loop;
  loop.id = lowering.next_loop++;
  loop.name = std::move(name);
  loop.kind = kind;
  loop.extent = std::move(extent);
  loop.step = step;
  loops.push_back(std::move(loop));
  return loops.back();
}

std::size_t LoopNestBuilder::level_of(LoopId loop) const {
  for (std::size_t i = loops.size(); i-- > 0;)
    if (loops[i].id == loop) return i + 1;
  return 0;
}

// ---------------------------------------------------------------------------------------------- scalars

void LoopNestBuilder::need_checks(kernel::ScalarId first, kernel::ScalarId end) {
  for (kernel::ScalarId id = first; id < end; ++id)
    if (std::holds_alternative<Scalar::Check>(scalar(id).definition)) need(id);
}

void LoopNestBuilder::fill_reduction(const BuildReduction& reduce) {
  before.resize(loops.size() + 1);
  after.resize(loops.size() + 1);
  need_checks(0, first_of_epilogue());
  if (stage.reduction) reduce();
}

void LoopNestBuilder::fill(const BuildReduction& reduce, const WrapStore& wrap) {
  fill_reduction(reduce);
  at_end_ = stage.reduction.has_value();
  need_checks(first_of_epilogue(), scalar_count());
  for (const kernel::Store& store : stage.stores) add_store(store, wrap);
}

const LoopNestBuilder::Placed& LoopNestBuilder::need(kernel::ScalarId id) {
  const auto known = placed_.find(id);
  if (known != placed_.end()) return known->second;
  const Scalar& definition = scalar(id);
  if (const auto* state = std::get_if<Scalar::State>(&definition.definition))
    return placed_[id] = results_[state->component];
  Placed place{0, first_level, false};
  std::set<LoopId> axes;
  std::set<ValueId> values;
  collect(definition, axes, values);
  for (const ValueId operand : values) {
    const Placed& needed = need(operand);
    renaming.values[operand] = needed.value;
    place.level = std::max(place.level, needed.level);
    place.after = place.after || needed.after;
  }
  Scalar renamed = rename(definition, renaming);
  std::set<LoopId> used;
  std::set<ValueId> ignored;
  collect(renamed, used, ignored);
  for (const LoopId loop : used) place.level = std::max(place.level, level_of(loop));
  if (at_end_ && place.level > result_level)
    dlvm::internal_error("an epilogue uses a scalar of a reduced point");
  protect(renamed, place);
  place.value = let(std::move(renamed), place);
  return placed_[id] = place;
}

ValueId LoopNestBuilder::let(Scalar scalar, const Placed& place) {
  const ValueId id = lowering.next_value++;
  // Statements that depend on the state come after the reduced loops; a body may hold both kinds.
  (place.after ? after : before)[place.level].push_back({Let{id, std::move(scalar)}});
  return id;
}

/// Outside of loops that may have no trip, a load must not read from a tensor without elements, and an index
/// that no trip uses is not checked.
void LoopNestBuilder::protect(Scalar& scalar, const Placed& place) {
  auto* load = std::get_if<Scalar::Load>(&scalar.definition);
  auto* check = std::get_if<Scalar::Check>(&scalar.definition);
  if (load == nullptr && check == nullptr) return;
  std::vector<Bound> bounds;
  const std::size_t inside = place.after || at_end_ ? result_level : loops.size();
  const auto add = [&](const Extent& extent) {
    if (extent.lower_bound().value_or(0) < 1) bounds.push_back({constant_index(0), extent});
  };
  for (std::size_t i = place.level; i < inside; ++i) {
    add(loops[i].extent);
    if (loops[i].kind == LoopKind::unrolled)  // as many trips as its bounds say
      for (const Bound& bound : loops[i].bounds) add(bound.end);
    else  // points of an empty tensor do not depend on the loop's variable
      for (const Bound& bound : loops[i].bounds)
        if (bound.end.is(0)) add(bound.end);
  }
  if (bounds.empty()) return;
  if (check != nullptr) {
    check->bounds.insert(check->bounds.begin(), bounds.begin(), bounds.end());
    return;
  }
  if (load->bounds.empty())
    load->fill = let({scalar.type, Scalar::Literal{dlvm::Tensor(scalar.type, {})}}, place);
  load->bounds.insert(load->bounds.begin(), bounds.begin(), bounds.end());
}

// ------------------------------------------------------------------------------------------- reductions

std::optional<LoopNestBuilder::BlockedSum> LoopNestBuilder::choose_blocked_sum(
    const std::vector<std::pair<std::size_t, std::int64_t>>& chain) const {
  constexpr std::int64_t terms_of_block = 256;
  if (!stage.reduction || stage.reduction->named.empty()) return std::nullopt;
  bool has_sum = false;
  for (std::size_t i = 0; i < stage.reduction->named.size(); ++i)
    has_sum |= stage.reduction->named[i] == dlvm::Opcode::add && dlvm::is_floating(stage.reduction->types[i]);
  if (!has_sum) return std::nullopt;
  std::int64_t terms = 1;
  for (const auto& [axis, step] : chain) {
    const auto extent = stage.axes[axis].extent.constant();
    const std::int64_t trips = extent ? (*extent + step - 1) / step : 2 * terms_of_block + 1;
    if (terms * trips > 2 * terms_of_block)
      return BlockedSum{axis, std::max<std::int64_t>(1, terms_of_block / terms)};
    terms *= trips;
  }
  return std::nullopt;
}

Tile LoopNestBuilder::whole(BufferId id) const {
  const Shape& shape = lowering.schedule.buffers[id].shape;
  return {id, std::vector<Index>(shape.size(), constant_index(0)), shape, {}};
}

BufferId LoopNestBuilder::allocate_state(std::size_t component, Shape shape, std::size_t level) {
  const kernel::Reduction& reduction = *stage.reduction;
  Buffer buffer{stage.name + ".state" + std::to_string(component),
                reduction.types[component],
                shape,
                Space::registers,
                dense_layout(shape),
                false,
                std::nullopt};
  const BufferId id = lowering.add_buffer(std::move(buffer));
  before[level].push_back({Allocate{id}});
  before[level].push_back({Fill{whole(id), reduction.identity[component]}});
  return id;
}

std::vector<ValueId> LoopNestBuilder::load(const std::vector<BufferId>& states, const std::vector<Index>& at,
                                           Body& body) {
  std::vector<ValueId> values;
  for (std::size_t i = 0; i < states.size(); ++i) {
    values.push_back(lowering.next_value++);
    const Scalar load{stage.reduction->types[i], Scalar::Load{{states[i], at}, {}, 0}};
    body.push_back({Let{values.back(), load}});
  }
  return values;
}

void LoopNestBuilder::combine(const std::vector<BufferId>& states, const std::vector<Index>& at) {
  std::vector<ValueId> inputs;
  for (const kernel::ScalarId input : stage.reduction->inputs) inputs.push_back(need(input).value);
  combine(states, at, inputs, before[loops.size()]);
}

void LoopNestBuilder::combine(const std::vector<BufferId>& states, const std::vector<Index>& at,
                              const std::vector<ValueId>& inputs, Body& body) {
  const kernel::Reduction& reduction = *stage.reduction;
  std::vector<ValueId> arguments = load(states, at, body);
  arguments.insert(arguments.end(), inputs.begin(), inputs.end());
  Renaming inner;
  for (ValueId id = 0; id < reduction.combine.size(); ++id) {
    const Scalar& scalar = reduction.combine[id];
    if (const auto* state = std::get_if<Scalar::State>(&scalar.definition)) {
      inner.values[id] = arguments[state->component];
      continue;
    }
    inner.values[id] = lowering.next_value++;
    body.push_back({Let{inner.values[id], rename(scalar, inner)}});
  }
  for (std::size_t i = 0; i < states.size(); ++i)
    body.push_back({Store{{states[i], at}, {}, inner.values.at(reduction.results[i]), std::nullopt}});
}

void LoopNestBuilder::take_results(const std::vector<BufferId>& states) {
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Placed place{0, result_level, true};
    const Scalar load{stage.reduction->types[i], Scalar::Load{{states[i], {}}, {}, 0}};
    results_.push_back({let(load, place), result_level, true});
  }
}

// ---------------------------------------------------------------------------------------------- results

void LoopNestBuilder::add_store(const kernel::Store& store, const WrapStore& wrap) {
  Store lowered;
  std::set<LoopId> axes;
  std::set<ValueId> values{store.value};
  collect(store.access, axes, values);
  collect(store.bounds, axes, values);
  for (const ValueId value : values) renaming.values[value] = need(value).value;
  lowered.access = rename(store.access, renaming);
  lowered.bounds = rename(store.bounds, renaming);
  lowered.value = renaming.values.at(store.value);
  lowered.combine = store.combine;
  after[stage.reduction ? result_level : loops.size()].push_back(wrap(std::move(lowered)));
}

Body LoopNestBuilder::assemble() {
  Body body;
  for (std::size_t level = loops.size() + 1; level-- > 0;) {
    Body here = std::move(before[level]);
    if (level < loops.size()) {
      loops[level].body = std::move(body);
      here.push_back({std::move(loops[level])});
    }
    for (Statement& statement : after[level]) here.push_back(std::move(statement));
    body = std::move(here);
  }
  return body;
}

}  // namespace codegen::schedule
