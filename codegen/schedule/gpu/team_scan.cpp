#include "codegen/schedule/gpu/team_scan.h"

#include <algorithm>

#include "codegen/schedule/common/loop_nest_builder.h"
#include "codegen/schedule/common/statements.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::Axis;
using kernel::AxisKind;
using kernel::Stage;

class TeamScanBuilder {
 public:
  TeamScanBuilder(GpuLowering& lowering, const Stage& stage, const Renaming& outer, std::int64_t threads)
      : lowering_(lowering), stage_(stage), renaming_(outer), threads_(threads) {}

  Body build() {
    std::vector<Loop> loops;
    for (const Axis& axis : stage_.axes) {
      next_axis_ = std::max(next_axis_, axis.id + 1);
      if (axis.kind == AxisKind::parallel) loops.push_back(lowering_.serial(axis, renaming_));
      if (axis.kind == AxisKind::ordered) along_ = &axis;
    }
    for (const auto& [axis, index] : renaming_.axes) next_axis_ = std::max(next_axis_, axis + 1);
    Body body;
    add_buffers(body);
    Body row;
    for (std::size_t i = 0; i < before_.size(); ++i)
      row.push_back({Fill{{before_[i], {}, {}, {}}, stage_.reduction->identity[i]}});
    Loop trip = new_loop(lowering_, "trip", LoopKind::serial, along_->extent, threads_);
    first_ = variable(trip.id);
    append(row, around(std::move(trip), build_trip()));
    for (; !loops.empty(); loops.pop_back()) row = around(std::move(loops.back()), std::move(row));
    append(body, std::move(row));
    return body;
  }

 private:
  using Buffers = std::vector<BufferId>;

  void add_buffers(Body& body) {
    const auto add = [&](const char* name, const Shape& shape, Space space) {
      Buffers ids;
      for (std::size_t i = 0; i < stage_.reduction->types.size(); ++i) {
        ids.push_back(
            lowering_.add_buffer({stage_.name + name + std::to_string(i), stage_.reduction->types[i], shape,
                                  space, dense_layout(shape), false, std::nullopt}));
        body.push_back({Allocate{ids.back()}});
      }
      return ids;
    };
    from_ = add(".states", {threads_}, Space::shared);
    to_ = add(".combined", {threads_}, Space::shared);
    before_ = add(".before", {}, Space::registers);
  }

  Body build_trip() {
    Body body = load_points();
    for (std::int64_t distance = 1; distance < threads_; distance *= 2) {
      append(body, combine_neighbours(distance));
      std::swap(from_, to_);
    }
    append(body, finish_points());
    append(body, advance());
    return body;
  }

  /// Opens a thread for each state, and in it the point, if the axis has it: a loop of one trip, on whose
  /// variable the point's indices depend, so that nothing of it is computed where it is not there.
  void open_points(LoopNestBuilder& nest, kernel::AxisId thread_axis) const {
    const Index thread = variable(nest.open("thread", LoopKind::thread, threads_, 1).id);
    Loop& only = nest.open("point", LoopKind::unrolled, 1, 1);
    const Index point = first_ + thread + variable(only.id);
    only.bounds.push_back({point, along_->extent});
    nest.renaming.axes[along_->id] = point;
    nest.renaming.axes[thread_axis] = thread;
  }

  /// The states of single points, and the identity behind the last one.
  Body load_points() {
    Stage points;
    points.name = stage_.name;
    points.body = stage_.body;
    for (std::size_t i = 0; i < from_.size(); ++i)
      points.stores.push_back({{from_[i], {variable(next_axis_)}}, {}, stage_.reduction->inputs[i], {}});
    LoopNestBuilder nest(lowering_, points, renaming_);
    open_points(nest, next_axis_);
    const Index thread = nest.renaming.axes.at(next_axis_);
    nest.fill([] {});
    for (std::size_t i = 0; i < from_.size(); ++i)
      nest.before[1].push_back({Store{{from_[i], {thread}}, {}, literal(i, nest.before[1]), std::nullopt}});
    return nest.assemble();
  }

  /// The identity's component.
  ValueId literal(std::size_t component, Body& body) {
    const kernel::Reduction& r = *stage_.reduction;
    return let({r.types[component], Scalar::Literal{r.identity[component]}}, body);
  }
  ValueId let(Scalar scalar, Body& body) {
    const ValueId id = lowering_.next_value++;
    body.push_back({Let{id, std::move(scalar)}});
    return id;
  }

  /// Each state with the one that stands `distance` before it.
  Body combine_neighbours(std::int64_t distance) {
    Loop thread = new_loop(lowering_, "thread", LoopKind::thread, threads_);
    const Index here = variable(thread.id), other = here + constant_index(-distance);
    Body body;
    std::vector<ValueId> left, right;
    for (std::size_t i = 0; i < from_.size(); ++i) {
      const ElementType type = stage_.reduction->types[i];
      const ValueId none = literal(i, body);
      left.push_back(let({type, Scalar::Load{{from_[i], {other}}, {{other, threads_}}, none}}, body));
      right.push_back(let({type, Scalar::Load{{from_[i], {here}}, {}, 0}}, body));
    }
    store(to_, {here}, combine(left, right, body), body);
    return around(std::move(thread), std::move(body));
  }

  /// The state of all points so far.
  Body advance() {
    Loop thread = new_loop(lowering_, "thread", LoopKind::thread, threads_);
    Body body;
    std::vector<ValueId> left, right;
    for (std::size_t i = 0; i < from_.size(); ++i) {
      const ElementType type = stage_.reduction->types[i];
      left.push_back(let({type, Scalar::Load{{before_[i], {}}, {}, 0}}, body));
      right.push_back(let({type, Scalar::Load{{from_[i], {constant_index(threads_ - 1)}}, {}, 0}}, body));
    }
    store(before_, {}, combine(left, right, body), body);
    return around(std::move(thread), std::move(body));
  }

  std::vector<ValueId> combine(const std::vector<ValueId>& left, const std::vector<ValueId>& right,
                               Body& body) {
    const kernel::Reduction& r = *stage_.reduction;
    Renaming renaming;
    for (ValueId id = 0; id < r.combine.size(); ++id) {
      if (const auto* state = std::get_if<Scalar::State>(&r.combine[id].definition)) {
        const std::size_t n = left.size();
        renaming.values[id] = state->component < n ? left[state->component] : right[state->component - n];
      } else {
        renaming.values[id] = let(rename(r.combine[id], renaming), body);
      }
    }
    std::vector<ValueId> results;
    for (const ValueId result : r.results) results.push_back(renaming.values.at(result));
    return results;
  }

  static void store(const Buffers& to, const std::vector<Index>& at, const std::vector<ValueId>& values,
                    Body& body) {
    for (std::size_t i = 0; i < to.size(); ++i)
      body.push_back({Store{{to[i], at}, {}, values[i], std::nullopt}});
  }

  /// The epilogue at each point, as a stage without a reduction: its state is that of the points before the
  /// trip, combined with that of the trip's points up to here.
  Body finish_points() {
    const kernel::Reduction& r = *stage_.reduction;
    const auto n = static_cast<ValueId>(r.types.size());
    Stage points;
    points.name = stage_.name;
    const auto add = [&](Scalar scalar) {
      points.body.push_back(std::move(scalar));
      return static_cast<ValueId>(points.body.size() - 1);
    };
    for (ValueId i = 0; i < n; ++i) add({r.types[i], Scalar::Load{{before_[i], {}}, {}, 0}});
    for (ValueId i = 0; i < n; ++i)
      add({r.types[i], Scalar::Load{{from_[i], {variable(next_axis_)}}, {}, 0}});
    Renaming of_combine, of_epilogue;
    for (ValueId id = 0; id < r.combine.size(); ++id) {
      const auto* state = std::get_if<Scalar::State>(&r.combine[id].definition);
      of_combine.values[id] = state != nullptr ? state->component : add(rename(r.combine[id], of_combine));
    }
    auto id = static_cast<ValueId>(stage_.body.size());
    for (const Scalar& scalar : stage_.epilogue) {
      const auto* state = std::get_if<Scalar::State>(&scalar.definition);
      of_epilogue.values[id++] = state != nullptr ? of_combine.values.at(r.results[state->component])
                                                  : add(rename(scalar, of_epilogue));
    }
    for (const kernel::Store& store : stage_.stores)
      points.stores.push_back({rename(store.access, of_epilogue), rename(store.bounds, of_epilogue),
                               of_epilogue.values.at(store.value), store.combine});
    LoopNestBuilder nest(lowering_, points, renaming_);
    open_points(nest, next_axis_);
    nest.fill([] {});
    return nest.assemble();
  }

  GpuLowering& lowering_;
  const Stage& stage_;
  Renaming renaming_;
  std::int64_t threads_;
  const Axis* along_ = nullptr;
  Index first_;                   ///< of the trip's points
  kernel::AxisId next_axis_ = 0;  ///< no axis has this number or a larger one
  Buffers from_, to_;             ///< states of the trip's points, for each component
  Buffers before_;                ///< the state of all points before the trip
};

}  // namespace

Body schedule_team_scan(GpuLowering& lowering, const Stage& stage, const Renaming& outer, const Team& team) {
  return TeamScanBuilder(lowering, stage, outer, team.threads).build();
}

}  // namespace codegen::schedule::gpu
