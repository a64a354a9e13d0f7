#include "codegen/schedule/common/stage_nest.h"

#include <algorithm>

#include "dlvm/support/internal_error.h"

namespace codegen::schedule {

using kernel::AxisKind;

// ------------------------------------------------------------------------------------------------ loops

void StageNest::open_serial(const kernel::Axis& axis) {
  if (axis.extent.is(1)) {
    renaming_.axes[axis.id] = constant_index(0);
    return;
  }
  loops_.push_back(lowering_.serial(axis, renaming_));
}

void StageNest::open_serial(AxisKind kind) {
  for (const kernel::Axis& axis : stage_.axes)
    if (axis.kind == kind && renaming_.axes.count(axis.id) == 0) open_serial(axis);
}

Loop& StageNest::open(std::string name, LoopKind kind, Extent extent, std::int64_t step) {
  Loop loop;
  loop.id = lowering_.next_loop++;
  loop.name = std::move(name);
  loop.kind = kind;
  loop.extent = std::move(extent);
  loop.step = step;
  loops_.push_back(std::move(loop));
  return loops_.back();
}

std::size_t StageNest::level_of(LoopId loop) const {
  for (std::size_t i = loops_.size(); i-- > 0;)
    if (loops_[i].id == loop) return i + 1;
  return 0;
}

// ---------------------------------------------------------------------------------------------- scalars

void StageNest::need_checks(kernel::ScalarId first, kernel::ScalarId end) {
  for (kernel::ScalarId id = first; id < end; ++id)
    if (std::holds_alternative<Scalar::Check>(scalar(id).definition)) need(id);
}

void StageNest::fill() {
  before_.resize(loops_.size() + 1);
  after_.resize(loops_.size() + 1);
  need_checks(0, first_of_epilogue());
  if (stage_.reduction) reduce();
  at_end_ = stage_.reduction.has_value();
  need_checks(first_of_epilogue(), scalar_count());
  for (const kernel::Store& store : stage_.stores) add_store(store);
}

const StageNest::Placed& StageNest::need(kernel::ScalarId id) {
  const auto known = placed_.find(id);
  if (known != placed_.end()) return known->second;
  const Scalar& definition = scalar(id);
  if (const auto* state = std::get_if<Scalar::State>(&definition.definition))
    return placed_[id] = results_[state->component];
  Placed place{0, first_level_, false};
  std::set<LoopId> axes;
  std::set<ValueId> values;
  collect(definition, axes, values);
  for (const ValueId operand : values) {
    const Placed& needed = need(operand);
    renaming_.values[operand] = needed.value;
    place.level = std::max(place.level, needed.level);
    place.after = place.after || needed.after;
  }
  Scalar renamed = rename(definition, renaming_);
  std::set<LoopId> loops;
  std::set<ValueId> ignored;
  collect(renamed, loops, ignored);
  for (const LoopId loop : loops) place.level = std::max(place.level, level_of(loop));
  if (at_end_ && place.level > result_level_)
    dlvm::internal_error("an epilogue uses a scalar of a reduced point");
  protect(renamed, place);
  place.value = let(std::move(renamed), place);
  return placed_[id] = place;
}

ValueId StageNest::let(Scalar scalar, const Placed& place) {
  const ValueId id = lowering_.next_value++;
  // What depends on the state comes after the reduced loops; a body may hold both kinds.
  (place.after ? after_ : before_)[place.level].push_back({Let{id, std::move(scalar)}});
  return id;
}

/// A load that stands outside of loops that may have no trip must not read from a tensor without elements.
void StageNest::protect(Scalar& scalar, const Placed& place) {
  auto* load = std::get_if<Scalar::Load>(&scalar.definition);
  if (load == nullptr) return;
  std::vector<Bound> bounds;
  const std::size_t inside = place.after || at_end_ ? result_level_ : loops_.size();
  const auto add = [&](const Extent& extent) {
    if (extent.lower_bound().value_or(0) < 1) bounds.push_back({constant_index(0), extent});
  };
  for (std::size_t i = place.level; i < inside; ++i) {
    add(loops_[i].extent);
    if (loops_[i].kind == LoopKind::unrolled)  // as many trips as its bounds say
      for (const Bound& bound : loops_[i].bounds) add(bound.end);
  }
  if (bounds.empty()) return;
  if (load->bounds.empty())
    load->fill = let({scalar.type, Scalar::Literal{dlvm::Tensor(scalar.type, {})}}, place);
  load->bounds.insert(load->bounds.begin(), bounds.begin(), bounds.end());
}

// ------------------------------------------------------------------------------------------- reductions

std::optional<StageNest::Run> StageNest::choose_run(
    const std::vector<std::pair<std::size_t, std::int64_t>>& loops) const {
  constexpr std::int64_t terms_of_run = 256;
  if (!stage_.reduction || stage_.reduction->named != dlvm::Opcode::add) return std::nullopt;
  if (!dlvm::is_floating(stage_.reduction->types[0])) return std::nullopt;
  std::int64_t terms = 1;
  for (const auto& [axis, step] : loops) {
    const auto extent = stage_.axes[axis].extent.constant();
    const std::int64_t trips = extent ? (*extent + step - 1) / step : 2 * terms_of_run + 1;
    if (terms * trips > 2 * terms_of_run) return Run{axis, std::max<std::int64_t>(1, terms_of_run / terms)};
    terms *= trips;
  }
  return std::nullopt;
}

Tile StageNest::whole(BufferId id) const {
  const Shape& shape = lowering_.schedule.buffers[id].shape;
  return {id, std::vector<Index>(shape.size(), constant_index(0)), shape, {}};
}

BufferId StageNest::allocate_state(std::size_t component, Shape shape, std::size_t level) {
  const kernel::Reduction& reduction = *stage_.reduction;
  Buffer buffer{stage_.name + ".state" + std::to_string(component),
                reduction.types[component],
                shape,
                Space::registers,
                dense_layout(shape),
                false,
                std::nullopt};
  const BufferId id = lowering_.add_buffer(std::move(buffer));
  before_[level].push_back({Allocate{id}});
  before_[level].push_back({Fill{whole(id), reduction.identity[component]}});
  return id;
}

std::vector<ValueId> StageNest::load(const std::vector<BufferId>& states, const std::vector<Index>& at,
                                     Body& body) {
  std::vector<ValueId> values;
  for (std::size_t i = 0; i < states.size(); ++i) {
    values.push_back(lowering_.next_value++);
    const Scalar load{stage_.reduction->types[i], Scalar::Load{{states[i], at}, {}, 0}};
    body.push_back({Let{values.back(), load}});
  }
  return values;
}

void StageNest::combine(const std::vector<BufferId>& states, const std::vector<Index>& at) {
  std::vector<ValueId> inputs;
  for (const kernel::ScalarId input : stage_.reduction->inputs) inputs.push_back(need(input).value);
  combine(states, at, inputs, before_[loops_.size()]);
}

void StageNest::combine(const std::vector<BufferId>& states, const std::vector<Index>& at,
                        const std::vector<ValueId>& inputs, Body& body) {
  const kernel::Reduction& reduction = *stage_.reduction;
  std::vector<ValueId> arguments = load(states, at, body);
  arguments.insert(arguments.end(), inputs.begin(), inputs.end());
  Renaming inner;
  for (ValueId id = 0; id < reduction.combine.size(); ++id) {
    const Scalar& scalar = reduction.combine[id];
    if (const auto* state = std::get_if<Scalar::State>(&scalar.definition)) {
      inner.values[id] = arguments[state->component];
      continue;
    }
    inner.values[id] = lowering_.next_value++;
    body.push_back({Let{inner.values[id], rename(scalar, inner)}});
  }
  for (std::size_t i = 0; i < states.size(); ++i)
    body.push_back({Store{{states[i], at}, {}, inner.values.at(reduction.results[i]), std::nullopt}});
}

void StageNest::take_results(const std::vector<BufferId>& states) {
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Placed place{0, result_level_, true};
    const Scalar load{stage_.reduction->types[i], Scalar::Load{{states[i], {}}, {}, 0}};
    results_.push_back({let(load, place), result_level_, true});
  }
}

// ---------------------------------------------------------------------------------------------- results

void StageNest::add_store(const kernel::Store& store) {
  Store lowered;
  std::set<LoopId> axes;
  std::set<ValueId> values{store.value};
  collect(store.access, axes, values);
  collect(store.bounds, axes, values);
  for (const ValueId value : values) renaming_.values[value] = need(value).value;
  lowered.access = rename(store.access, renaming_);
  lowered.bounds = rename(store.bounds, renaming_);
  lowered.value = renaming_.values.at(store.value);
  lowered.combine = store.combine;
  after_[stage_.reduction ? result_level_ : loops_.size()].push_back(finished(std::move(lowered)));
}

Body StageNest::assemble() {
  Body body;
  for (std::size_t level = loops_.size() + 1; level-- > 0;) {
    Body here = std::move(before_[level]);
    if (level < loops_.size()) {
      loops_[level].body = std::move(body);
      here.push_back({std::move(loops_[level])});
    }
    for (Statement& statement : after_[level]) here.push_back(std::move(statement));
    body = std::move(here);
  }
  return body;
}

}  // namespace codegen::schedule
