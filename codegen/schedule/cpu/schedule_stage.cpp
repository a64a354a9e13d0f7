#include "codegen/schedule/cpu/schedule_stage.h"

#include <algorithm>

#include "codegen/schedule/common/contraction_builder.h"
#include "codegen/schedule/common/loop_nest_builder.h"
#include "codegen/schedule/common/statements.h"

namespace codegen::schedule::cpu {
namespace {

using kernel::AxisKind;
using kernel::Stage;

/// Loops over points, those over parallel axes for cores, and one axis on the lanes of vectors where that
/// pays.
class PointsBuilder {
 public:
  PointsBuilder(CpuLowering& lowering, const Stage& stage, const Renaming& outer, const PointsPlan& plan,
                const RowsAhead* ahead)
      : lowering_(lowering), stage_(stage), nest_(lowering, stage, outer), plan_(plan), ahead_(ahead) {
    if (!runs_in_order(stage)) parallel_ = LoopKind::core;
  }

  Body build() {
    if (auto squares = build_squares()) return std::move(*squares);
    open_loops(AxisKind::parallel);
    nest_.state_level = nest_.loops.size();
    open_loops(AxisKind::ordered);
    nest_.result_level = nest_.loops.size();
    choose_blocked_sum();
    open_loops(AxisKind::reduced);
    nest_.fill([this] { reduce(); });
    if (ahead_ != nullptr) fetch_rows();
    return nest_.assemble();
  }

 private:
  LoopKind kind_of(const kernel::Axis& axis) const {
    return axis.kind == AxisKind::parallel ? parallel_ : LoopKind::serial;
  }

  void open_loops(AxisKind kind) {
    for (std::size_t i = 0; i < stage_.axes.size(); ++i)
      if (stage_.axes[i].kind == kind && plan_.vector_axis != i && plan_.blocked_axis != i) open_loop(i);
    if (!plan_.vector_axis || stage_.axes[*plan_.vector_axis].kind != kind) return;
    if (plan_.blocked_axis) {
      const kernel::Axis& axis = stage_.axes[*plan_.blocked_axis];
      block_ = variable(nest_.open(axis.name + "_block", kind_of(axis), axis.extent, plan_.block).id);
    }
    open_vector(*plan_.vector_axis);
  }

  /// Returns a transposition that does nothing else, in squares of vectors whose rows are read and whose
  /// columns are written. Returns nothing where the stage computes or the squares do not fit.
  std::optional<Body> build_squares() {
    if (!plan_.blocked_axis || stage_.body.size() > 2 || stage_.stores.size() != 1) return std::nullopt;
    const kernel::Store& store = stage_.stores[0];
    const auto* load = std::get_if<Scalar::Load>(&stage_.body[store.value].definition);
    if (load == nullptr || !load->bounds.empty() || !store.bounds.empty() || store.combine)
      return std::nullopt;
    const Buffers buffers = lowering_.schedule.buffers;
    if (buffers[load->access.buffer].element != buffers[store.access.buffer].element) return std::nullopt;
    const kernel::Axis *along = &stage_.axes[*plan_.vector_axis], *across = &stage_.axes[*plan_.blocked_axis];
    const auto step = [&](const Access& access, const kernel::Axis& axis) {
      return stride(offset(access, buffers[access.buffer].layout), axis.id);
    };
    if (const auto contiguous = step(load->access, *along); !contiguous || !contiguous->is(1))
      std::swap(along, across);
    const auto next_row = step(load->access, *across), next_column = step(store.access, *along);
    const auto reads = step(load->access, *along), writes = step(store.access, *across);
    if (!reads || !reads->is(1) || !writes || !writes->is(1) || !next_row || !next_column)
      return std::nullopt;
    for (const kernel::Axis* axis : {along, across})
      if (axis->extent.constant().value_or(1) % plan_.width != 0) return std::nullopt;
    for (std::size_t i = 0; i < stage_.axes.size(); ++i)
      if (&stage_.axes[i] != along && &stage_.axes[i] != across) open_loop(i);
    for (const kernel::Axis* axis : {across, along})
      nest_.renaming.axes[axis->id] =
          variable(nest_.open(axis->name, kind_of(*axis), axis->extent, plan_.width).id);
    const Shape square{plan_.width, plan_.width};
    const Access from = rename(load->access, nest_.renaming), to = rename(store.access, nest_.renaming);
    std::vector<Loop> loops = std::move(nest_.loops);
    Body body;
    body.push_back({Copy{{from.buffer, from.indices, square, {*next_row, 1}},
                         {to.buffer, to.indices, square, {1, *next_column}},
                         false,
                         {}}});
    return nested(std::move(loops), std::move(body));
  }

  /// axis = block + point
  void open_block(const kernel::Axis& axis) {
    Loop& point = nest_.open(axis.name, LoopKind::unrolled, plan_.block, 1);
    const Index index = block_ + variable(point.id);
    const auto extent = axis.extent.constant();
    if (!extent || *extent % plan_.block != 0) point.bounds.push_back({index, axis.extent});
    nest_.renaming.axes[axis.id] = index;
  }

  void open_loop(std::size_t i) {
    const kernel::Axis& axis = stage_.axes[i];
    if (sum_axis_ != i) {
      nest_.open_serial(axis);
      if (!axis.extent.is(1)) nest_.loops.back().kind = kind_of(axis);
      return;
    }
    Index index = open_sum_blocks(axis, sum_trips_);
    if (sum_trips_ > 1)
      index = index + variable(nest_.open(axis.name + "_inner", LoopKind::serial, sum_trips_, 1).id);
    if (sum_trips_ > 1) nest_.loops.back().bounds.push_back({index, axis.extent});
    nest_.renaming.axes[axis.id] = index;
  }

  /// axis = outer + width * copy + lane, or, if the copies are interleaved, outer + lane
  void open_vector(std::size_t i) {
    const kernel::Axis& axis = stage_.axes[i];
    const std::int64_t step = plan_.width * plan_.copies;
    const std::int64_t width = plan_.interleaved ? step : plan_.width;
    const auto extent = axis.extent.constant();
    Index index = constant_index(0);
    if (sum_axis_ == i) {
      index = open_sum_blocks(axis, sum_trips_ * step);
      index = index + variable(nest_.open(axis.name, LoopKind::serial, sum_trips_ * step, step).id);
      nest_.loops.back().bounds.push_back({index, axis.extent});
    } else if (!extent || *extent > step) {
      index = index + variable(nest_.open(axis.name, kind_of(axis), axis.extent, step).id);
    }
    step_ = {index, step, nest_.loops.size()};
    if (plan_.blocked_axis) open_block(stage_.axes[*plan_.blocked_axis]);
    if (step > width) {
      const LoopId copy = nest_.open(axis.name + "_copy", LoopKind::unrolled, step / width, 1).id;
      index = index + variable(copy) * width;
      partial_ = partial_ + variable(copy) * width;
    }
    Loop& lane = nest_.open(axis.name + "_lane", LoopKind::vector, width, 1);
    index = index + variable(lane.id);
    partial_ = partial_ + variable(lane.id);
    if (!extent || *extent % step != 0) lane.bounds.push_back({index, axis.extent});
    nest_.renaming.axes[axis.id] = index;
    if (axis.kind == AxisKind::reduced) partials_ = step;
  }

  /// Adds statements that fetch the lines of `ahead_` at the elements of a step of the vectors.
  void fetch_rows() {
    for (const Prefetch& row : ahead_->rows) {
      const std::int64_t bytes = dlvm::info(lowering_.schedule.buffers[row.access.buffer].element).bytes;
      Renaming at = nest_.renaming;
      for (std::int64_t element = 0; element < step_.elements;
           element += lowering_.target.line_bytes / bytes) {
        at.axes[ahead_->along] = step_.first + constant_index(element);
        nest_.before[step_.level].push_back({Prefetch{rename(row.access, at), row.is_written}});
      }
    }
  }

  // Blocked summation.

  void choose_blocked_sum() {
    std::vector<std::pair<std::size_t, std::int64_t>> loops;
    const auto is_reduced = [&](std::size_t i) { return stage_.axes[i].kind == AxisKind::reduced; };
    if (plan_.vector_axis && is_reduced(*plan_.vector_axis))
      loops.emplace_back(*plan_.vector_axis, plan_.width * plan_.copies);
    for (std::size_t i = stage_.axes.size(); i-- > 0;)
      if (is_reduced(i) && plan_.vector_axis != i) loops.emplace_back(i, 1);
    const auto blocked = nest_.choose_blocked_sum(loops);
    if (!blocked) return;
    sum_axis_ = blocked->axis;
    sum_trips_ = blocked->trips;
  }

  Index open_sum_blocks(const kernel::Axis& axis, std::int64_t length) {
    const LoopId id = nest_.open(axis.name + "_outer", LoopKind::serial, axis.extent, length).id;
    sum_level_ = nest_.loops.size();
    return variable(id);
  }

  std::vector<BufferId> allocate_states(const Shape& shape, std::size_t level) {
    std::vector<BufferId> states;
    for (std::size_t i = 0; i < stage_.reduction->types.size(); ++i)
      states.push_back(nest_.allocate_state(i, shape, level));
    return states;
  }

  void reduce() {
    const Shape shape = partials_ > 1 ? Shape{partials_} : Shape{};
    const auto partials = allocate_states(shape, nest_.state_level);
    const auto states = partials_ > 1 ? allocate_states({}, nest_.state_level) : partials;
    const auto blocks = sum_axis_ ? allocate_states(shape, sum_level_) : partials;
    nest_.combine(blocks, partials_ > 1 ? std::vector<Index>{partial_} : std::vector<Index>{});
    if (sum_axis_) add_block_sums(partials, blocks);
    if (partials_ > 1) join(partials, states);
    nest_.take_results(states);
  }

  /// At the end of a run, element by element.
  void add_block_sums(const std::vector<BufferId>& totals, const std::vector<BufferId>& blocks) {
    Body body;
    if (partials_ == 1) {
      nest_.combine(totals, {}, nest_.load(blocks, {}, body), body);
    } else {
      Loop part, lane;
      part.id = lowering_.next_loop++;
      lane.id = lowering_.next_loop++;
      part.name = "part", part.kind = LoopKind::unrolled, part.extent = partials_ / plan_.width;
      lane.name = "lane", lane.kind = LoopKind::vector, lane.extent = plan_.width;
      const std::vector<Index> at{variable(part.id) * plan_.width + variable(lane.id)};
      nest_.combine(totals, at, nest_.load(blocks, at, lane.body), lane.body);
      part.body.push_back({std::move(lane)});
      body.push_back({std::move(part)});
    }
    for (Statement& statement : body) nest_.after[sum_level_].push_back(std::move(statement));
  }

  /// The partial states of all lanes become one.
  void join(const std::vector<BufferId>& partials, const std::vector<BufferId>& states) {
    Reduce reduce;
    reduce.reduction = *stage_.reduction;
    reduce.reduction.inputs.clear();
    for (std::size_t i = 0; i < states.size(); ++i) {
      reduce.from.push_back(nest_.whole(partials[i]));
      reduce.to.push_back({states[i], {}});
    }
    nest_.after[nest_.result_level].push_back({std::move(reduce)});
  }

  CpuLowering& lowering_;
  const Stage& stage_;
  LoopNestBuilder nest_;
  const PointsPlan& plan_;
  const RowsAhead* ahead_;
  /// A step of the vectors along their axis: its first element, its elements, and the level of its
  /// statements.
  struct Step {
    Index first;
    std::int64_t elements = 0;
    std::size_t level = 0;
  };
  Step step_;
  LoopKind parallel_ = LoopKind::serial;  ///< of loops over parallel axes
  Index block_;                           ///< where a block of the blocked axis begins
  std::int64_t partials_ = 1;             ///< partial states that each result is made of
  Index partial_;                         ///< the point's place among them
  std::optional<std::size_t> sum_axis_;   ///< the loop of which `sum_trips_` trips make a block of a sum
  std::int64_t sum_trips_ = 1;
  std::size_t sum_level_ = 0;
};

/// Core loops over the rows, each of which is merged by way of a scratch row.
Body schedule_sort(CpuLowering& lowering, const Stage& stage, const Renaming& outer) {
  Renaming renaming = outer;
  std::vector<Loop> loops;
  for (const kernel::Axis& axis : stage.axes) loops.push_back(lowering.over_cores(axis, renaming));
  Sort sort = sort_statement(*stage.sorting, renaming);
  const Shape row{stage.sorting->extent};
  Body body;
  for (const Tile* tile : {&sort.keys, &sort.positions}) {
    const Buffer& of = lowering.schedule.buffers[tile->buffer];
    const BufferId id = lowering.add_buffer(
        {of.name + ".merged", of.element, row, Space::panel, dense_layout(row), false, std::nullopt});
    body.push_back({Allocate{id}});
    sort.scratch.push_back({id, {constant_index(0)}, row, {}});
  }
  body.push_back({std::move(sort)});
  return nested(std::move(loops), std::move(body));
}

}  // namespace

Body schedule_stage(CpuLowering& lowering, const Stage& stage, const Renaming& outer,
                    const RowsAhead* ahead) {
  if (stage.sorting) {
    Body body;
    body.push_back({origin(stage, "merge sort, row after row, because one core sorts")});
    append(body, schedule_sort(lowering, stage, outer));
    return body;
  }
  const StagePlan chosen = choose(stage, lowering.schedule.buffers, lowering.target, lowering.small_m);
  Body body;
  body.push_back({origin(stage, chosen.why)});
  if (const auto* product = std::get_if<ProductPlan>(&chosen.plan)) {
    append(body, schedule_product(lowering, stage, outer, *product));
  } else {
    const auto& points = std::get<PointsPlan>(chosen.plan);
    append(body, points.columns > 1 ? schedule_columns(lowering, stage, outer, points)
                                    : PointsBuilder(lowering, stage, outer, points, ahead).build());
  }
  return body;
}

}  // namespace codegen::schedule::cpu
