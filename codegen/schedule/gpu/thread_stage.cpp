#include "codegen/schedule/gpu/thread_stage.h"

#include <algorithm>

#include "codegen/schedule/common/axis_group.h"
#include "codegen/schedule/common/loop_nest_builder.h"
#include "codegen/schedule/common/statements.h"
#include "codegen/schedule/gpu/team_scan.h"
#include "codegen/schedule/gpu/vectors.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::Axis;
using kernel::AxisKind;
using kernel::Stage;

/// Whether every store puts neighbours along the axis into different elements, so that these may be stored by
/// different threads: some index is the axis alone.
bool keeps_apart(const Stage& stage, const Axis& axis) {
  return std::all_of(stage.stores.begin(), stage.stores.end(), [&](const kernel::Store& store) {
    return std::any_of(store.access.indices.begin(), store.access.indices.end(), [&](const Index& index) {
      if (index.terms.size() != 1 || !index.terms[0].coefficient.constant()) return false;
      const auto* id = std::get_if<kernel::AxisId>(&index.terms[0].atom);
      return id != nullptr && *id == axis.id && !index.terms[0].coefficient.is(0);
    });
  });
}

class ThreadStageBuilder {
 public:
  ThreadStageBuilder(GpuLowering& lowering, const Stage& stage, const Renaming& outer,
                     WorkDistribution distribution, std::int64_t threads)
      : lowering_(lowering),
        stage_(stage),
        nest_(lowering, stage, outer),
        distribution_(distribution),
        threads_(threads) {}

  Body build_rest(LoopId block) {
    open_rest(block);
    nest_.state_level = nest_.result_level = nest_.loops.size();
    return finish();
  }

  Body build_row(const RowShare& share) {
    open_row(share);
    return finish();
  }

  Body build(bool is_grid) {
    switch (distribution_) {
      case WorkDistribution::per_thread:
        is_grid ? open_grid() : open_points();
        nest_.open_serial(AxisKind::parallel);
        nest_.state_level = nest_.loops.size();
        nest_.open_serial(AxisKind::ordered);
        nest_.result_level = nest_.loops.size();
        open_chain();
        break;
      case WorkDistribution::cooperative_reduction:
        nest_.open_serial(AxisKind::parallel);
        nest_.state_level = nest_.result_level = nest_.loops.size();
        open_shared_reduction();
        break;
      case WorkDistribution::cooperative_scan:  // has a builder of its own
      case WorkDistribution::replicated:
        nest_.open_serial(AxisKind::parallel);
        nest_.state_level = nest_.loops.size();
        nest_.open_serial(AxisKind::ordered);
        nest_.result_level = nest_.loops.size();
        open_chain();
        break;
    }
    return finish();
  }

 private:
  Body finish() {
    nest_.fill([this] { reduce(); }, [this](Store store) { return wrap(std::move(store)); });
    return nest_.assemble();
  }

  /// The axes whose points different threads may have.
  AxisGroup points() const {
    AxisGroup result;
    const bool in_order = runs_in_order(stage_);
    for (const Axis& axis : stage_.axes)
      if (axis.kind == AxisKind::parallel && (!in_order || keeps_apart(stage_, axis))) result.add(axis);
    return result;
  }

  /// The group with `width` neighbours along its last axis as one; `part` becomes that axis.
  static AxisGroup in_vectors(const AxisGroup& all, std::int64_t width, Axis& part) {
    part = *all.axes.back();
    part.extent = Extent::floor_divide(part.extent, width);
    AxisGroup parts;
    for (const Axis* axis : all.axes) parts.add(axis == all.axes.back() ? part : *axis);
    return parts;
  }

  /// point = (step * threads + thread) * width + lane
  void open_row(const RowShare& share) {
    Axis part;
    AxisGroup all;
    for (const Axis& axis : stage_.axes) all.add(axis);
    const bool is_whole = is_vector(stage_, lowering_.schedule.buffers, stage_.axes.back());
    if (share.width > 1) all = in_vectors(all, share.width, part);
    const Index thread = variable(nest_.open("thread", LoopKind::thread, threads_, 1).id);
    Loop& step = nest_.open("step", LoopKind::unrolled, share.steps, 1);
    const Index point = variable(step.id) * threads_ + thread;
    step.bounds.push_back({point, all.extent});
    all.bind(point, nest_.renaming);
    Index element = variable(step.id) * share.width;
    if (share.width > 1) {
      const LoopKind kind = is_whole ? LoopKind::vector : LoopKind::unrolled;
      const Index lane = variable(nest_.open("lane", kind, share.width, 1).id);
      nest_.renaming.axes[part.id] = nest_.renaming.axes[part.id] * share.width + lane;
      element = element + lane;
    }
    nest_.renaming.axes[share.element] = element;
  }

  /// point = block * threads + thread
  void open_grid() {
    AxisGroup all = points();
    const std::int64_t width = vector_width(stage_, lowering_.schedule.buffers, lowering_.target);
    Axis part;
    if (width > 1) all = in_vectors(all, width, part);
    Extent blocks = Extent::floor_divide(all.extent + Extent(threads_ - 1), Extent(threads_));
    if (has_rest(stage_, width))
      blocks = Extent::floor_divide(stage_.axes[0].extent + Extent(threads_ * width - 1),
                                    Extent(threads_ * width));
    Index point = variable(nest_.open("block", LoopKind::block, blocks, 1).id) * threads_;
    nest_.first_level = 1;
    Loop& thread = nest_.open("thread", LoopKind::thread, threads_, 1);
    point = point + variable(thread.id);
    thread.bounds.push_back({point, all.extent});
    all.bind(point, nest_.renaming);
    if (width == 1) return;
    const Loop& lane = nest_.open("lane", LoopKind::vector, width, 1);
    nest_.renaming.axes[part.id] = nest_.renaming.axes[part.id] * width + variable(lane.id);
  }

  /// The points behind the last whole vector, a thread each of the grid's first block.
  void open_rest(LoopId block) {
    const Axis& axis = stage_.axes[0];
    const std::int64_t width = vector_width(stage_, lowering_.schedule.buffers, lowering_.target);
    Loop& thread = nest_.open("thread", LoopKind::thread, width, 1);
    const Index point =
        constant_index(Extent::floor_divide(axis.extent, width) * Extent(width)) + variable(thread.id);
    thread.bounds = {{variable(block), 1}, {point, axis.extent}};
    nest_.renaming.axes[axis.id] = point;
  }

  /// point = trip + thread
  void open_points() {
    const AxisGroup all = points();
    Loop& thread = nest_.open("thread", LoopKind::thread, threads_, 1);
    const Index first = variable(thread.id);
    const auto extent = all.extent.constant();
    if (extent && *extent <= threads_) {
      thread.bounds.push_back({first, all.extent});
      return all.bind(first, nest_.renaming);
    }
    Loop& trip = nest_.open("point", LoopKind::serial, all.extent, threads_);
    const Index point = first + variable(trip.id);
    trip.bounds.push_back({point, all.extent});
    all.bind(point, nest_.renaming);
  }

  /// The reduced axes in order, by one thread: a long sum in blocks.
  void open_chain() {
    std::vector<std::pair<std::size_t, std::int64_t>> loops;
    for (std::size_t i = stage_.axes.size(); i-- > 0;)
      if (stage_.axes[i].kind == AxisKind::reduced) loops.emplace_back(i, 1);
    const auto blocked = nest_.choose_blocked_sum(loops);
    for (std::size_t i = 0; i < stage_.axes.size(); ++i) {
      const Axis& axis = stage_.axes[i];
      if (axis.kind != AxisKind::reduced) continue;
      if (!blocked || blocked->axis != i) {
        nest_.open_serial(axis);
        continue;
      }
      Index index =
          variable(nest_.open(axis.name + "_outer", LoopKind::serial, axis.extent, blocked->trips).id);
      sum_level_ = nest_.loops.size();
      if (blocked->trips > 1) {
        Loop& term = nest_.open(axis.name + "_inner", LoopKind::serial, blocked->trips, 1);
        index = index + variable(term.id);
        term.bounds.push_back({index, axis.extent});
      }
      nest_.renaming.axes[axis.id] = index;
    }
  }

  void open_shared_reduction() {
    const AxisGroup all = axes_of(stage_, AxisKind::reduced);
    Loop& thread = nest_.open("thread", LoopKind::thread, threads_, 1);
    const Index first = variable(thread.id);
    Loop& trip = nest_.open("step", LoopKind::serial, all.extent, threads_);
    const Index point = first + variable(trip.id);
    trip.bounds.push_back({point, all.extent});
    all.bind(point, nest_.renaming);
  }

  void reduce() {
    const std::size_t n = stage_.reduction->types.size();
    std::vector<BufferId> states;
    for (std::size_t i = 0; i < n; ++i) states.push_back(nest_.allocate_state(i, {}));
    if (sum_level_) {
      std::vector<BufferId> blocks;
      for (std::size_t i = 0; i < n; ++i) blocks.push_back(nest_.allocate_state(i, {}, *sum_level_));
      nest_.combine(blocks, {});
      Body& end = nest_.after[*sum_level_];
      nest_.combine(states, {}, nest_.load(blocks, {}, end), end);
    } else {
      nest_.combine(states, {});
    }
    if (distribution_ != WorkDistribution::cooperative_reduction) return nest_.take_results(states);
    nest_.take_results(over_team(states));
  }

  /// The threads' states as one, which each of them gets.
  std::vector<BufferId> over_team(const std::vector<BufferId>& states) {
    Reduce reduce;
    reduce.reduction = *stage_.reduction;
    reduce.reduction.inputs.clear();
    std::vector<BufferId> results;
    for (std::size_t i = 0; i < states.size(); ++i) {
      results.push_back(nest_.allocate_state(i, {}));
      reduce.to.push_back({results[i], {}});
      reduce.from.push_back(threads_ == lowering_.target.warp_threads ? Tile{states[i], {}, {}, {}}
                                                                      : shared(states[i], i));
    }
    nest_.after[nest_.result_level].push_back({std::move(reduce)});
    return results;
  }

  /// The states of all threads in shared memory.
  Tile shared(BufferId state, std::size_t component) {
    const Shape shape{threads_};
    Buffer buffer{stage_.name + ".states" + std::to_string(component),
                  stage_.reduction->types[component],
                  shape,
                  Space::shared,
                  dense_layout(shape),
                  false,
                  std::nullopt};
    const BufferId id = lowering_.add_buffer(std::move(buffer));
    nest_.before[nest_.state_level].push_back({Allocate{id}});
    Loop thread;
    thread.id = lowering_.next_loop++;
    thread.name = "thread";
    thread.kind = LoopKind::thread;
    thread.extent = threads_;
    const ValueId value = lowering_.next_value++;
    thread.body.push_back(
        {Let{value, {stage_.reduction->types[component], Scalar::Load{{state, {}}, {}, 0}}}});
    thread.body.push_back({Store{{id, {variable(thread.id)}}, {}, value, std::nullopt}});
    nest_.after[nest_.result_level].push_back({std::move(thread)});
    return nest_.whole(id);
  }

  /// Lets one thread store a value that all threads computed alike.
  Statement wrap(Store store) {
    const bool own = lowering_.schedule.buffers[store.access.buffer].space == Space::registers;
    if (own || distribution_ == WorkDistribution::per_thread) return {std::move(store)};
    Loop thread;
    thread.id = lowering_.next_loop++;
    thread.name = "one";
    thread.kind = LoopKind::thread;
    thread.extent = 1;
    thread.body.push_back({std::move(store)});
    return {std::move(thread)};
  }

  GpuLowering& lowering_;
  const Stage& stage_;
  LoopNestBuilder nest_;
  WorkDistribution distribution_;
  std::int64_t threads_;
  std::optional<std::size_t> sum_level_;  ///< of a long sum's blocks
};

}  // namespace

Body schedule_for_team(GpuLowering& lowering, const Stage& stage, const Renaming& outer, const Team& team) {
  if (stage.sorting) {
    Body body;
    body.push_back({sort_statement(*stage.sorting, outer)});
    return body;
  }
  WorkDistribution distribution = choose_work_distribution(stage, lowering.schedule.buffers);
  if (distribution == WorkDistribution::cooperative_scan) {
    if (team.threads == lowering.target.block_threads)
      return schedule_team_scan(lowering, stage, outer, team);
    distribution = axes_of(stage, AxisKind::parallel).extent.is(1) ? WorkDistribution::replicated
                                                                   : WorkDistribution::per_thread;
  }
  return ThreadStageBuilder(lowering, stage, outer, distribution, team.threads).build(false);
}

Body schedule_row(GpuLowering& lowering, const Stage& stage, const Renaming& outer, const Team& team,
                  const RowShare& share) {
  const WorkDistribution distribution =
      stage.reduction ? WorkDistribution::cooperative_reduction : WorkDistribution::per_thread;
  return ThreadStageBuilder(lowering, stage, outer, distribution, team.threads).build_row(share);
}

Body schedule_replicated(GpuLowering& lowering, const Stage& stage, const Renaming& outer, const Team& team) {
  return ThreadStageBuilder(lowering, stage, outer, WorkDistribution::replicated, team.threads).build(false);
}

Body schedule_points(GpuLowering& lowering, const Stage& stage) {
  const auto builder = [&] {
    return ThreadStageBuilder(lowering, stage, {}, WorkDistribution::per_thread,
                              lowering.target.block_threads);
  };
  Body grid = builder().build(true);
  if (!has_rest(stage, vector_width(stage, lowering.schedule.buffers, lowering.target))) return grid;
  Loop& block = std::get<Loop>(grid.front().node);
  append(block.body, builder().build_rest(block.id));
  return grid;
}

}  // namespace codegen::schedule::gpu
