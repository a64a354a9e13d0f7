#include "codegen/schedule/lower_stage.h"

#include <algorithm>

#include "dlvm/diagnostics/internal_error.h"

namespace codegen::schedule {
namespace {

using kernel::AxisKind;
using kernel::Stage;

/// Builds the nest of one stage. Level 0 is outside of the stage's loops, level i + 1 the body of loop i;
/// what is computed at a level stands before the next loop.
class StageLowering {
 public:
  StageLowering(Lowering& lowering, const Stage& stage, const Renaming& outer)
      : lowering_(lowering), stage_(stage), renaming_(outer) {}

  Body lower() {
    choice_ = choose_vector(lowering_.kernel, stage_, lowering_.processor);
    open_loops(AxisKind::parallel);
    state_level_ = loops_.size();
    open_loops(AxisKind::ordered);
    result_level_ = loops_.size();
    open_loops(AxisKind::reduced);
    before_.resize(loops_.size() + 1);
    after_.resize(loops_.size() + 1);
    for (kernel::ScalarId id = 0; id < stage_.body.size(); ++id)
      if (std::holds_alternative<Scalar::Check>(stage_.body[id].definition)) need(id);
    if (stage_.reduction) reduce();
    at_end_ = stage_.reduction.has_value();
    for (kernel::ScalarId id = first_of_epilogue(); id < scalar_count(); ++id)
      if (std::holds_alternative<Scalar::Check>(scalar(id).definition)) need(id);
    for (const kernel::Store& store : stage_.stores) add_store(store);
    return assemble();
  }

 private:
  kernel::ScalarId first_of_epilogue() const { return static_cast<kernel::ScalarId>(stage_.body.size()); }
  kernel::ScalarId scalar_count() const {
    return first_of_epilogue() + static_cast<kernel::ScalarId>(stage_.epilogue.size());
  }
  const Scalar& scalar(kernel::ScalarId id) const {
    return id < first_of_epilogue() ? stage_.body[id] : stage_.epilogue[id - first_of_epilogue()];
  }

  // Loops.

  void open_loops(AxisKind kind) {
    for (std::size_t i = 0; i < stage_.axes.size(); ++i)
      if (stage_.axes[i].kind == kind && choice_.axis != i) open_serial(stage_.axes[i]);
    if (choice_.axis && stage_.axes[*choice_.axis].kind == kind) open_vector(stage_.axes[*choice_.axis]);
  }
  void open_serial(const kernel::Axis& axis) {
    if (axis.extent.is(1)) {
      renaming_.axes[axis.id] = constant_index(0);
      return;
    }
    loops_.push_back(lowering_.serial(axis, renaming_));
  }
  Loop& open(const kernel::Axis& axis, const char* suffix, LoopKind kind, Extent extent, std::int64_t step) {
    Loop loop;
    loop.id = lowering_.next_loop++;
    loop.name = axis.name + suffix;
    loop.kind = kind;
    loop.extent = std::move(extent);
    loop.step = step;
    loops_.push_back(std::move(loop));
    return loops_.back();
  }
  /// axis = outer + width * copy + lane
  void open_vector(const kernel::Axis& axis) {
    const std::int64_t width = choice_.width;
    copies_ = axis.kind == AxisKind::reduced ? copies(axis) : 1;
    const std::int64_t step = width * copies_;
    const auto extent = axis.extent.constant();
    Index index = constant_index(0);
    if (!extent || *extent > step)
      index = index + variable(open(axis, "", LoopKind::serial, axis.extent, step).id);
    if (copies_ > 1) {
      const LoopId copy = open(axis, "_copy", LoopKind::unrolled, copies_, 1).id;
      index = index + variable(copy) * width;
      partial_ = partial_ + variable(copy) * width;
    }
    Loop& lane = open(axis, "_lane", LoopKind::vector, width, 1);
    index = index + variable(lane.id);
    partial_ = partial_ + variable(lane.id);
    if (!extent || *extent % step != 0) lane.bounds.push_back({index, axis.extent});
    renaming_.axes[axis.id] = index;
  }
  /// Independent partial states hide the latency of combining; from the extent alone.
  std::int64_t copies(const kernel::Axis& axis) const {
    const auto extent = axis.extent.constant();
    if (!extent || *extent >= 8 * choice_.width) return 4;
    return *extent > choice_.width ? 2 : 1;
  }
  bool is_partial() const { return choice_.axis && stage_.axes[*choice_.axis].kind == AxisKind::reduced; }

  // Scalars.

  struct Placed {
    ValueId value = 0;
    std::size_t level = 0;
    bool after = false;  ///< of the state: after the loops inside
  };

  std::size_t level_of(LoopId loop) const {
    for (std::size_t i = loops_.size(); i-- > 0;)
      if (loops_[i].id == loop) return i + 1;
    return 0;
  }

  /// The scalar's value, computed where it may be first.
  const Placed& need(kernel::ScalarId id) {
    const auto known = placed_.find(id);
    if (known != placed_.end()) return known->second;
    const Scalar& definition = scalar(id);
    if (const auto* state = std::get_if<Scalar::State>(&definition.definition))
      return placed_[id] = results_[state->component];
    Placed place;
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

  ValueId let(Scalar scalar, const Placed& place) {
    const ValueId id = lowering_.next_value++;
    // What depends on the state comes after the reduced loops; a body may hold both kinds.
    (place.after ? after_ : before_)[place.level].push_back({Let{id, std::move(scalar)}});
    return id;
  }

  /// A load that stands outside of loops that may have no trip must not read from a tensor without elements.
  void protect(Scalar& scalar, const Placed& place) {
    auto* load = std::get_if<Scalar::Load>(&scalar.definition);
    if (load == nullptr) return;
    std::vector<Bound> bounds;
    const std::size_t inside = place.after || at_end_ ? result_level_ : loops_.size();
    for (std::size_t i = place.level; i < inside; ++i)
      if (loops_[i].extent.lower_bound().value_or(0) < 1)
        bounds.push_back({constant_index(0), loops_[i].extent});
    if (bounds.empty()) return;
    if (load->bounds.empty())
      load->fill = let({scalar.type, Scalar::Literal{dlvm::Tensor(scalar.type, {})}}, place);
    load->bounds.insert(load->bounds.begin(), bounds.begin(), bounds.end());
  }

  // Reductions.

  void reduce() {
    const kernel::Reduction& reduction = *stage_.reduction;
    const std::size_t n = reduction.types.size();
    const std::int64_t width = is_partial() ? choice_.width * copies_ : 1;
    std::vector<BufferId> partials, states;
    for (std::size_t i = 0; i < n; ++i) {
      partials.push_back(allocate(reduction, i, width));
      states.push_back(width == 1 ? partials[i] : allocate(reduction, i, 1));
    }
    combine(reduction, partials);
    if (width > 1) {
      Reduce reduce;
      reduce.reduction = reduction;
      reduce.reduction.inputs.clear();
      for (std::size_t i = 0; i < n; ++i) {
        reduce.from.push_back(whole(partials[i]));
        reduce.to.push_back({states[i], {}});
      }
      after_[result_level_].push_back({std::move(reduce)});
    }
    for (std::size_t i = 0; i < n; ++i) {
      const Placed place{0, result_level_, true};
      const Scalar load{reduction.types[i], Scalar::Load{{states[i], {}}, {}, 0}};
      results_.push_back({let(load, place), result_level_, true});
    }
  }

  Tile whole(BufferId id) const {
    const Shape& shape = lowering_.schedule.buffers[id].shape;
    return {id, std::vector<Index>(shape.size(), constant_index(0)), shape, {}};
  }

  BufferId allocate(const kernel::Reduction& reduction, std::size_t i, std::int64_t width) {
    Shape shape;
    if (width > 1) shape.push_back(width);
    const BufferId id =
        lowering_.add_buffer({stage_.name + ".state" + std::to_string(i), reduction.types[i], shape,
                              Space::registers, dense_layout(shape), false, std::nullopt});
    before_[state_level_].push_back({Allocate{id}});
    before_[state_level_].push_back({Fill{whole(id), reduction.identity[i]}});
    return id;
  }

  /// In the innermost loop: state = combine(state, inputs).
  void combine(const kernel::Reduction& reduction, const std::vector<BufferId>& states) {
    const std::size_t n = states.size();
    const Placed inside{0, loops_.size(), false};
    std::vector<Access> accesses;
    std::vector<ValueId> arguments(2 * n);
    for (std::size_t i = 0; i < n; ++i) {
      accesses.push_back({states[i], {}});
      if (is_partial()) accesses.back().indices.push_back(partial_);
    }
    for (std::size_t i = 0; i < n; ++i) arguments[n + i] = need(reduction.inputs[i]).value;
    for (std::size_t i = 0; i < n; ++i)
      arguments[i] = let({reduction.types[i], Scalar::Load{accesses[i], {}, 0}}, inside);
    Renaming inner;
    for (ValueId id = 0; id < reduction.combine.size(); ++id) {
      const Scalar& scalar = reduction.combine[id];
      if (const auto* state = std::get_if<Scalar::State>(&scalar.definition))
        inner.values[id] = arguments[state->component];
      else
        inner.values[id] = let(rename(scalar, inner), inside);
    }
    for (std::size_t i = 0; i < n; ++i)
      before_[loops_.size()].push_back(
          {Store{accesses[i], {}, inner.values.at(reduction.results[i]), std::nullopt}});
  }

  // Results.

  void add_store(const kernel::Store& store) {
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
    after_[stage_.reduction ? result_level_ : loops_.size()].push_back({std::move(lowered)});
  }

  Body assemble() {
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

  Lowering& lowering_;
  const Stage& stage_;
  Renaming renaming_;
  VectorChoice choice_;
  std::vector<Loop> loops_;
  std::size_t state_level_ = 0, result_level_ = 0;
  std::int64_t copies_ = 1;
  Index partial_;  ///< place among the partial states
  std::vector<Body> before_, after_;
  std::map<kernel::ScalarId, Placed> placed_;
  std::vector<Placed> results_;  ///< of the reduction
  bool at_end_ = false;
};

}  // namespace

Body lower_stage(Lowering& lowering, const Stage& stage, const Renaming& outer) {
  if (is_tiled(lowering, stage)) return lower_contraction(lowering, stage, outer);
  return StageLowering(lowering, stage, outer).lower();
}

}  // namespace codegen::schedule
