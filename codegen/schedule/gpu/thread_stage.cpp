#include "codegen/schedule/gpu/thread_stage.h"

#include <algorithm>

#include "codegen/schedule/common/axis_group.h"
#include "codegen/schedule/common/stage_nest.h"
#include "codegen/schedule/common/statements.h"
#include "codegen/schedule/gpu/vectors.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::Axis;
using kernel::AxisKind;
using kernel::Stage;

/// Threads of a block whose threads have a point each.
constexpr std::int64_t grid_threads = 256;

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

class ThreadStage : StageNest {
 public:
  ThreadStage(Lowering& lowering, const Stage& stage, const Renaming& outer, WorkDistribution distribution,
              std::int64_t threads)
      : StageNest(lowering, stage, outer), distribution_(distribution), threads_(threads) {}

  Body lower_rest(LoopId block) {
    open_rest(block);
    state_level_ = result_level_ = loops_.size();
    fill();
    return assemble();
  }

  Body lower_row(const RowShare& share) {
    open_row(share);
    fill();
    return assemble();
  }

  Body lower(bool is_grid) {
    switch (distribution_) {
      case WorkDistribution::per_thread:
        is_grid ? open_grid() : open_points();
        open_serial(AxisKind::parallel);
        state_level_ = loops_.size();
        open_serial(AxisKind::ordered);
        result_level_ = loops_.size();
        open_chain();
        break;
      case WorkDistribution::cooperative_reduction:
        open_serial(AxisKind::parallel);
        state_level_ = result_level_ = loops_.size();
        open_shared_reduction();
        break;
      case WorkDistribution::replicated:
        open_serial(AxisKind::parallel);
        state_level_ = loops_.size();
        open_serial(AxisKind::ordered);
        result_level_ = loops_.size();
        open_chain();
        break;
    }
    fill();
    return assemble();
  }

 private:
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
    const bool is_whole = is_vector(lowering_, stage_, stage_.axes.back());
    if (share.width > 1) all = in_vectors(all, share.width, part);
    const Index thread = variable(open("thread", LoopKind::thread, threads_, 1).id);
    Loop& step = open("step", LoopKind::unrolled, share.steps, 1);
    const Index point = variable(step.id) * threads_ + thread;
    step.bounds.push_back({point, all.extent});
    all.bind(point, renaming_);
    Index slot = variable(step.id) * share.width;
    if (share.width > 1) {
      const LoopKind kind = is_whole ? LoopKind::vector : LoopKind::unrolled;
      const Index lane = variable(open("lane", kind, share.width, 1).id);
      renaming_.axes[part.id] = renaming_.axes[part.id] * share.width + lane;
      slot = slot + lane;
    }
    renaming_.axes[share.slot] = slot;
  }

  /// point = block * threads + thread
  void open_grid() {
    AxisGroup all = points();
    const std::int64_t width = vector_width(lowering_, stage_);
    Axis part;
    if (width > 1) all = in_vectors(all, width, part);
    Extent blocks = Extent::floor_divide(all.extent + Extent(threads_ - 1), Extent(threads_));
    if (has_rest(stage_, width))
      blocks = Extent::floor_divide(stage_.axes[0].extent + Extent(threads_ * width - 1),
                                    Extent(threads_ * width));
    Index point = variable(open("block", LoopKind::block, blocks, 1).id) * threads_;
    first_level_ = 1;
    Loop& thread = open("thread", LoopKind::thread, threads_, 1);
    point = point + variable(thread.id);
    thread.bounds.push_back({point, all.extent});
    all.bind(point, renaming_);
    if (width == 1) return;
    const Loop& lane = open("lane", LoopKind::vector, width, 1);
    renaming_.axes[part.id] = renaming_.axes[part.id] * width + variable(lane.id);
  }

  /// The points behind the last whole vector, a thread each of the grid's first block.
  void open_rest(LoopId block) {
    const Axis& axis = stage_.axes[0];
    const std::int64_t width = vector_width(lowering_, stage_);
    Loop& thread = open("thread", LoopKind::thread, width, 1);
    const Index point =
        constant_index(Extent::floor_divide(axis.extent, width) * Extent(width)) + variable(thread.id);
    thread.bounds = {{variable(block), 1}, {point, axis.extent}};
    renaming_.axes[axis.id] = point;
  }

  /// point = trip + thread
  void open_points() {
    const AxisGroup all = points();
    Loop& thread = open("thread", LoopKind::thread, threads_, 1);
    const Index first = variable(thread.id);
    const auto extent = all.extent.constant();
    if (extent && *extent <= threads_) {
      thread.bounds.push_back({first, all.extent});
      return all.bind(first, renaming_);
    }
    Loop& trip = open("point", LoopKind::serial, all.extent, threads_);
    const Index point = first + variable(trip.id);
    trip.bounds.push_back({point, all.extent});
    all.bind(point, renaming_);
  }

  /// The reduced axes in order, by one thread: a long sum in runs.
  void open_chain() {
    std::vector<std::pair<std::size_t, std::int64_t>> loops;
    for (std::size_t i = stage_.axes.size(); i-- > 0;)
      if (stage_.axes[i].kind == AxisKind::reduced) loops.emplace_back(i, 1);
    const auto run = choose_run(loops);
    for (std::size_t i = 0; i < stage_.axes.size(); ++i) {
      const Axis& axis = stage_.axes[i];
      if (axis.kind != AxisKind::reduced) continue;
      if (!run || run->axis != i) {
        open_serial(axis);
        continue;
      }
      Index index = variable(open(axis.name + "_run", LoopKind::serial, axis.extent, run->trips).id);
      run_level_ = loops_.size();
      if (run->trips > 1) {
        Loop& term = open(axis.name + "_term", LoopKind::serial, run->trips, 1);
        index = index + variable(term.id);
        term.bounds.push_back({index, axis.extent});
      }
      renaming_.axes[axis.id] = index;
    }
  }

  void open_shared_reduction() {
    const AxisGroup all = axes_of(stage_, AxisKind::reduced);
    Loop& thread = open("thread", LoopKind::thread, threads_, 1);
    const Index first = variable(thread.id);
    Loop& trip = open("step", LoopKind::serial, all.extent, threads_);
    const Index point = first + variable(trip.id);
    trip.bounds.push_back({point, all.extent});
    all.bind(point, renaming_);
  }

  void reduce() override {
    const std::size_t n = stage_.reduction->types.size();
    std::vector<BufferId> states;
    for (std::size_t i = 0; i < n; ++i) states.push_back(allocate_state(i, {}));
    if (run_level_) {
      const std::vector<BufferId> runs{allocate_state(0, {}, *run_level_)};
      combine(runs, {});
      Body& end = after_[*run_level_];
      combine(states, {}, load(runs, {}, end), end);
    } else {
      combine(states, {});
    }
    if (distribution_ != WorkDistribution::cooperative_reduction) return take_results(states);
    take_results(over_team(states));
  }

  /// The threads' states as one, which each of them gets.
  std::vector<BufferId> over_team(const std::vector<BufferId>& states) {
    Reduce reduce;
    reduce.reduction = *stage_.reduction;
    reduce.reduction.inputs.clear();
    std::vector<BufferId> results;
    for (std::size_t i = 0; i < states.size(); ++i) {
      results.push_back(allocate_state(i, {}));
      reduce.to.push_back({results[i], {}});
      reduce.from.push_back(threads_ == 32 ? Tile{states[i], {}, {}, {}} : shared(states[i], i));
    }
    after_[result_level_].push_back({std::move(reduce)});
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
    before_[state_level_].push_back({Allocate{id}});
    Loop thread;
    thread.id = lowering_.next_loop++;
    thread.name = "thread";
    thread.kind = LoopKind::thread;
    thread.extent = threads_;
    const ValueId value = lowering_.next_value++;
    thread.body.push_back(
        {Let{value, {stage_.reduction->types[component], Scalar::Load{{state, {}}, {}, 0}}}});
    thread.body.push_back({Store{{id, {variable(thread.id)}}, {}, value, std::nullopt}});
    after_[result_level_].push_back({std::move(thread)});
    return whole(id);
  }

  /// What all threads computed alike, one of them stores.
  Statement finished(Store store) override {
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

  WorkDistribution distribution_;
  std::int64_t threads_;
  std::optional<std::size_t> run_level_;  ///< of a long sum's runs
};

}  // namespace

Body lower_for_team(Lowering& lowering, const Stage& stage, const Renaming& outer, const Team& team) {
  return ThreadStage(lowering, stage, outer, choose_work_distribution(lowering, stage), team.threads)
      .lower(false);
}

Body lower_row(Lowering& lowering, const Stage& stage, const Renaming& outer, const Team& team,
               const RowShare& share) {
  const WorkDistribution distribution =
      stage.reduction ? WorkDistribution::cooperative_reduction : WorkDistribution::per_thread;
  return ThreadStage(lowering, stage, outer, distribution, team.threads).lower_row(share);
}

Body lower_alike(Lowering& lowering, const Stage& stage, const Renaming& outer, const Team& team) {
  return ThreadStage(lowering, stage, outer, WorkDistribution::replicated, team.threads).lower(false);
}

Body lower_as_grid(Lowering& lowering, const Stage& stage) {
  Body grid = ThreadStage(lowering, stage, {}, WorkDistribution::per_thread, grid_threads).lower(true);
  if (!has_rest(stage, vector_width(lowering, stage))) return grid;
  Loop& block = std::get<Loop>(grid.front().node);
  append(block.body,
         ThreadStage(lowering, stage, {}, WorkDistribution::per_thread, grid_threads).lower_rest(block.id));
  return grid;
}

}  // namespace codegen::schedule::gpu
