#include "codegen/schedule/cpu/lower_stage.h"

#include "codegen/schedule/common/stage_nest.h"
#include "codegen/schedule/common/transposition.h"

namespace codegen::schedule::cpu {
namespace {

using kernel::AxisKind;
using kernel::Stage;

/// Points along a blocked axis: those of a line of the cache of 4-byte elements.
constexpr std::int64_t block_size = 16;
/// Scalars of a stage above which its body is not copied for each of these.
constexpr std::size_t most_scalars = 32;

/// Of a transposition of which one axis is the vector's the position of the other, which goes in blocks
/// around the vector's loop: each line of either tensor is used up while it is in the cache.
std::optional<std::size_t> blocked_axis(const Lowering& lowering, const Stage& stage,
                                        const VectorChoice& choice) {
  if (!choice.axis || stage.body.size() > most_scalars) return std::nullopt;
  const auto found = find_transposition(lowering, stage);
  if (!found) return std::nullopt;
  const kernel::Axis* vector = &stage.axes[*choice.axis];
  if (vector != found->row && vector != found->column) return std::nullopt;
  const kernel::Axis* other = vector == found->row ? found->column : found->row;
  for (const kernel::Axis* axis : {vector, other})
    if (const auto extent = axis->extent.constant(); extent && *extent <= block_size) return std::nullopt;
  return static_cast<std::size_t>(other - stage.axes.data());
}

/// For one core: serial loops, and one axis on the lanes of vectors where that pays.
class VectorStage : StageNest {
 public:
  VectorStage(Lowering& lowering, const Stage& stage, const Renaming& outer)
      : StageNest(lowering, stage, outer),
        choice_(choose_vector(lowering.kernel, stage, *lowering.processor)),
        blocked_(blocked_axis(lowering, stage, choice_)) {}

  Body lower() {
    open_loops(AxisKind::parallel);
    state_level_ = loops_.size();
    open_loops(AxisKind::ordered);
    result_level_ = loops_.size();
    choose_runs();
    open_loops(AxisKind::reduced);
    fill();
    return assemble();
  }

 private:
  void open_loops(AxisKind kind) {
    for (std::size_t i = 0; i < stage_.axes.size(); ++i)
      if (stage_.axes[i].kind == kind && choice_.axis != i && blocked_ != i) open_loop(i);
    if (!choice_.axis || stage_.axes[*choice_.axis].kind != kind) return;
    if (blocked_) {
      const kernel::Axis& axis = stage_.axes[*blocked_];
      block_ = variable(open(axis.name + "_block", LoopKind::serial, axis.extent, block_size).id);
    }
    open_vector(*choice_.axis);
  }

  /// axis = block + point
  void open_block(const kernel::Axis& axis) {
    Loop& point = open(axis.name, LoopKind::unrolled, block_size, 1);
    const Index index = block_ + variable(point.id);
    const auto extent = axis.extent.constant();
    if (!extent || *extent % block_size != 0) point.bounds.push_back({index, axis.extent});
    renaming_.axes[axis.id] = index;
  }

  void open_loop(std::size_t i) {
    const kernel::Axis& axis = stage_.axes[i];
    if (run_axis_ != i) return open_serial(axis);
    Index index = open_runs(axis, run_);
    if (run_ > 1) index = index + variable(open(axis.name + "_term", LoopKind::serial, run_, 1).id);
    if (run_ > 1) loops_.back().bounds.push_back({index, axis.extent});
    renaming_.axes[axis.id] = index;
  }

  /// axis = outer + width * copy + lane
  void open_vector(std::size_t i) {
    const kernel::Axis& axis = stage_.axes[i];
    const std::int64_t width = choice_.width;
    const std::int64_t copies = copies_of(axis);
    const std::int64_t step = width * copies;
    const auto extent = axis.extent.constant();
    Index index = constant_index(0);
    if (run_axis_ == i) {
      index = open_runs(axis, run_ * step);
      index = index + variable(open(axis.name, LoopKind::serial, run_ * step, step).id);
      loops_.back().bounds.push_back({index, axis.extent});
    } else if (!extent || *extent > step) {
      index = index + variable(open(axis.name, LoopKind::serial, axis.extent, step).id);
    }
    if (blocked_) open_block(stage_.axes[*blocked_]);
    if (copies > 1) {
      const LoopId copy = open(axis.name + "_copy", LoopKind::unrolled, copies, 1).id;
      index = index + variable(copy) * width;
      partial_ = partial_ + variable(copy) * width;
    }
    Loop& lane = open(axis.name + "_lane", LoopKind::vector, width, 1);
    index = index + variable(lane.id);
    partial_ = partial_ + variable(lane.id);
    if (!extent || *extent % step != 0) lane.bounds.push_back({index, axis.extent});
    renaming_.axes[axis.id] = index;
    if (axis.kind == AxisKind::reduced) partials_ = step;
  }

  // Runs.

  void choose_runs() {
    std::vector<std::pair<std::size_t, std::int64_t>> loops;
    const auto is_reduced = [&](std::size_t i) { return stage_.axes[i].kind == AxisKind::reduced; };
    if (choice_.axis && is_reduced(*choice_.axis))
      loops.emplace_back(*choice_.axis, choice_.width * copies_of(stage_.axes[*choice_.axis]));
    for (std::size_t i = stage_.axes.size(); i-- > 0;)
      if (is_reduced(i) && choice_.axis != i) loops.emplace_back(i, 1);
    const auto run = choose_run(loops);
    if (!run) return;
    run_axis_ = run->axis;
    run_ = run->trips;
  }

  Index open_runs(const kernel::Axis& axis, std::int64_t length) {
    const LoopId id = open(axis.name + "_run", LoopKind::serial, axis.extent, length).id;
    run_level_ = loops_.size();
    return variable(id);
  }

  /// Independent partial states hide the latency of combining; from the extent alone.
  std::int64_t copies_of(const kernel::Axis& axis) const {
    if (axis.kind != AxisKind::reduced) return 1;
    const auto extent = axis.extent.constant();
    if (!extent || *extent >= 8 * choice_.width) return 4;
    return *extent > choice_.width ? 2 : 1;
  }

  std::vector<BufferId> allocate_states(const Shape& shape, std::size_t level) {
    std::vector<BufferId> states;
    for (std::size_t i = 0; i < stage_.reduction->types.size(); ++i)
      states.push_back(allocate_state(i, shape, level));
    return states;
  }

  void reduce() override {
    const Shape shape = partials_ > 1 ? Shape{partials_} : Shape{};
    const auto partials = allocate_states(shape, state_level_);
    const auto states = partials_ > 1 ? allocate_states({}, state_level_) : partials;
    const auto runs = run_axis_ ? allocate_states(shape, run_level_) : partials;
    combine(runs, partials_ > 1 ? std::vector<Index>{partial_} : std::vector<Index>{});
    if (run_axis_) add_runs(partials, runs);
    if (partials_ > 1) join(partials, states);
    take_results(states);
  }

  /// At the end of a run, element by element.
  void add_runs(const std::vector<BufferId>& totals, const std::vector<BufferId>& runs) {
    Body body;
    if (partials_ == 1) {
      combine(totals, {}, load(runs, {}, body), body);
    } else {
      Loop part, lane;
      part.id = lowering_.next_loop++;
      lane.id = lowering_.next_loop++;
      part.name = "part", part.kind = LoopKind::unrolled, part.extent = partials_ / choice_.width;
      lane.name = "lane", lane.kind = LoopKind::vector, lane.extent = choice_.width;
      const std::vector<Index> at{variable(part.id) * choice_.width + variable(lane.id)};
      combine(totals, at, load(runs, at, lane.body), lane.body);
      part.body.push_back({std::move(lane)});
      body.push_back({std::move(part)});
    }
    for (Statement& statement : body) after_[run_level_].push_back(std::move(statement));
  }

  /// The partial states of all lanes become one.
  void join(const std::vector<BufferId>& partials, const std::vector<BufferId>& states) {
    Reduce reduce;
    reduce.reduction = *stage_.reduction;
    reduce.reduction.inputs.clear();
    for (std::size_t i = 0; i < states.size(); ++i) {
      reduce.from.push_back(whole(partials[i]));
      reduce.to.push_back({states[i], {}});
    }
    after_[result_level_].push_back({std::move(reduce)});
  }

  VectorChoice choice_;
  std::optional<std::size_t> blocked_;
  Index block_;                          ///< where a block of that axis begins
  std::optional<std::size_t> run_axis_;  ///< the loop of which `run_` trips make a run
  std::int64_t run_ = 1;
  std::size_t run_level_ = 0;
};

}  // namespace

Body lower_stage(Lowering& lowering, const Stage& stage, const Renaming& outer) {
  if (is_tiled(lowering, stage)) return lower_contraction(lowering, stage, outer);
  return VectorStage(lowering, stage, outer).lower();
}

}  // namespace codegen::schedule::cpu
