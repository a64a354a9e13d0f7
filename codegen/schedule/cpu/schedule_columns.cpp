// Column reductions. Each reduced point is a row of memory, and the columns of a block of results add what it
// has for them before the next row begins: one vector of results after the other would go through all rows
// for each. The sums of a few vectors are in registers. Where a row is longer, those of a whole block are in
// memory near the core, so that rows are read in long runs: each piece of a row lies on a page of memory of
// its own, and finding that takes longer than reading a few lines of it. Different cores compute ranges of
// columns. The sum of a column adds the same terms in the same order in all cases.
#include <algorithm>

#include "codegen/schedule/common/contraction_builder.h"
#include "codegen/schedule/common/loop_nest_builder.h"
#include "codegen/schedule/common/statements.h"
#include "codegen/schedule/cpu/schedule_stage.h"

namespace codegen::schedule::cpu {
namespace {

using kernel::AxisKind;
using kernel::Stage;

class ColumnsBuilder {
 public:
  ColumnsBuilder(CpuLowering& lowering, const Stage& stage, const Renaming& outer, const PointsPlan& plan)
      : lowering_(lowering),
        stage_(stage),
        nest_(lowering, stage, outer),
        plan_(plan),
        axis_(stage.axes[*plan.vector_axis]),
        step_(plan.columns * plan.width),
        block_(std::max(plan.column_block, step_)) {}

  Body build() {
    for (const kernel::Axis& axis : stage_.axes)
      if (axis.kind == AxisKind::parallel && &axis != &axis_) open(axis, LoopKind::core);
    open_columns();
    nest_.state_level = nest_.result_level = nest_.loops.size();
    choose_blocked_sum();
    for (std::size_t i = 0; i < stage_.axes.size(); ++i)
      if (stage_.axes[i].kind == AxisKind::reduced) open_reduced(i);
    const std::size_t reduced_level = nest_.loops.size();
    for (Loop& loop : column_loops()) nest_.loops.push_back(std::move(loop));
    nest_.renaming.axes[axis_.id] = first_ + partial_;
    nest_.fill_reduction([&] { reduce(); });
    if (!has_blocks()) fetch_reduced(reduced_level);
    return nest_.assemble();
  }

 private:
  bool has_blocks() const { return block_ > step_; }

  void open(const kernel::Axis& axis, LoopKind kind) {
    nest_.open_serial(axis);
    if (!axis.extent.is(1)) nest_.loops.back().kind = kind;
  }

  /// Opens the loops over blocks of columns, the first of which is at `first_`.
  void open_columns() {
    const auto extent = axis_.extent.constant();
    if (!has_blocks()) {
      if (!extent || *extent > step_)
        first_ = variable(nest_.open(axis_.name, LoopKind::core, axis_.extent, step_).id);
      return;
    }
    Loop& ranges = nest_.open(axis_.name, LoopKind::core, axis_.extent, step_);
    ranges.range_end = range_end_ = lowering_.next_loop++;
    first_ = variable(ranges.id);
    Loop& block = nest_.open(axis_.name + "_block", LoopKind::serial, axis_.extent, block_);
    first_ = first_ + variable(block.id);
    block.bounds.push_back(column_bound(first_));
  }

  /// Says that the column is one of the range that this core computes.
  Bound column_bound(const Index& column) const {
    return {column + constant_index(axis_.extent) + variable(*range_end_) * -1, axis_.extent};
  }

  void choose_blocked_sum() {
    std::vector<std::pair<std::size_t, std::int64_t>> loops;
    for (std::size_t i = stage_.axes.size(); i-- > 0;)
      if (stage_.axes[i].kind == AxisKind::reduced) loops.emplace_back(i, 1);
    blocked_ = nest_.choose_blocked_sum(loops);
  }

  void open_reduced(std::size_t i) {
    const kernel::Axis& axis = stage_.axes[i];
    if (!blocked_ || blocked_->axis != i) return nest_.open_serial(axis);
    const std::int64_t trips = blocked_->trips;
    Index index = variable(nest_.open(axis.name + "_outer", LoopKind::serial, axis.extent, trips).id);
    sum_level_ = nest_.loops.size();
    if (trips > 1) {
      Loop& inner = nest_.open(axis.name + "_inner", LoopKind::serial, trips, 1);
      index = index + variable(inner.id);
      inner.bounds.push_back({index, axis.extent});
    }
    nest_.renaming.axes[axis.id] = index;
  }

  /// Returns loops over the columns of a block, whose places in it become `partial_`.
  std::vector<Loop> column_loops() {
    std::vector<Loop> loops;
    partial_ = constant_index(0);
    if (has_blocks()) {
      Loop& group = loops.emplace_back(new_loop(lowering_, "columns", LoopKind::serial, block_, step_));
      partial_ = variable(group.id);
      group.bounds.push_back(column_bound(first_ + partial_));
    }
    Loop column = new_loop(lowering_, "column", LoopKind::unrolled, plan_.columns);
    Loop lane = new_loop(lowering_, "lane", LoopKind::vector, plan_.width);
    partial_ = partial_ + variable(column.id) * plan_.width + variable(lane.id);
    const auto extent = axis_.extent.constant();
    if (!extent || *extent % step_ != 0) lane.bounds.push_back({first_ + partial_, axis_.extent});
    loops.push_back(std::move(column));
    loops.push_back(std::move(lane));
    return loops;
  }

  void reduce() {
    const auto totals = allocate_states(nest_.state_level);
    const auto blocks = blocked_ ? allocate_states(sum_level_) : totals;
    nest_.combine(blocks, {partial_});
    if (blocked_) add_block_sums(totals, blocks);
    ContractionBuilder results(lowering_, stage_, nest_.renaming);
    std::vector<Loop> loops = column_loops();
    Renaming at = nest_.renaming;
    at.axes[axis_.id] = first_ + partial_;
    std::vector<Access> states;
    for (const BufferId total : totals) states.push_back({total, {partial_}});
    Body body;
    results.finish(states, at, body);
    append(nest_.after[nest_.result_level], nested(std::move(loops), std::move(body)));
  }

  void add_block_sums(const std::vector<BufferId>& totals, const std::vector<BufferId>& blocks) {
    Loop part = new_loop(lowering_, "part", has_blocks() ? LoopKind::serial : LoopKind::unrolled,
                         block_ / plan_.width);
    Loop lane = new_loop(lowering_, "lane", LoopKind::vector, plan_.width);
    const std::vector<Index> at{variable(part.id) * plan_.width + variable(lane.id)};
    nest_.combine(totals, at, nest_.load(blocks, at, lane.body), lane.body);
    part.body.push_back({std::move(lane)});
    nest_.after[sum_level_].push_back({std::move(part)});
  }

  std::vector<BufferId> allocate_states(std::size_t level) {
    std::vector<BufferId> states;
    for (std::size_t i = 0; i < stage_.reduction->types.size(); ++i) {
      states.push_back(nest_.allocate_state(i, {block_}, level));
      if (has_blocks()) lowering_.schedule.buffers[states.back()].space = Space::panel;
    }
    return states;
  }

  /// Adds statements that fetch the lines that a block of columns reads some reduced points later, if these
  /// are on other pages of memory, over whose ends the processor does not fetch ahead by itself.
  void fetch_reduced(std::size_t level) {
    constexpr std::int64_t points_ahead = 16, page_bytes = 4096;
    const auto is_reduced = [](const kernel::Axis& axis) { return axis.kind == AxisKind::reduced; };
    const auto axis = std::find_if(stage_.axes.rbegin(), stage_.axes.rend(), is_reduced);
    for (const Scalar& scalar : stage_.body) {
      const auto* load = std::get_if<Scalar::Load>(&scalar.definition);
      if (load == nullptr || !load->bounds.empty() || has_loaded(load->access)) continue;
      const Buffer& buffer = lowering_.schedule.buffers[load->access.buffer];
      const std::int64_t bytes = dlvm::info(buffer.element).bytes;
      const Index place = offset(load->access, buffer.layout);
      const auto across = stride(place, axis->id), along = stride(place, axis_.id);
      if (buffer.space != Space::argument || !along || !along->is(1)) continue;
      if (!across || across->constant().value_or(0) * bytes < page_bytes) continue;
      Renaming at = nest_.renaming;
      const Index ahead = at.axes.at(axis->id) + constant_index(points_ahead);
      at.axes[axis->id] = ahead;
      Loop lines = new_loop(lowering_, "ahead", LoopKind::unrolled, 1);
      lines.bounds.push_back({ahead, axis->extent});
      for (std::int64_t element = 0; element < step_; element += lowering_.target.line_bytes / bytes) {
        at.axes[axis_.id] = first_ + constant_index(element);
        lines.body.push_back({Prefetch{rename(load->access, at)}});
      }
      nest_.before[level].push_back({std::move(lines)});
    }
  }

  CpuLowering& lowering_;
  const Stage& stage_;
  LoopNestBuilder nest_;
  const PointsPlan& plan_;
  const kernel::Axis& axis_;   ///< that of the columns
  std::int64_t step_, block_;  ///< the columns that are unrolled, and those whose sums are kept together
  Index first_ = constant_index(0);  ///< the first column of a block
  Index partial_;                    ///< a column's place in its block
  std::optional<LoopId> range_end_;  ///< the end of the range of columns that a core computes
  std::optional<LoopNestBuilder::BlockedSum> blocked_;
  std::size_t sum_level_ = 0;  ///< where a block of a blocked sum begins and ends
};

}  // namespace

Body schedule_columns(CpuLowering& lowering, const Stage& stage, const Renaming& outer,
                      const PointsPlan& plan) {
  return ColumnsBuilder(lowering, stage, outer, plan).build();
}

}  // namespace codegen::schedule::cpu
