#include "codegen/schedule/lower_stage.h"

#include "codegen/schedule/stage_nest.h"

namespace codegen::schedule {
namespace {

using kernel::AxisKind;
using kernel::Stage;

/// For one core: serial loops, and one axis on the lanes of vectors where that pays.
class VectorStage : StageNest {
 public:
  VectorStage(Lowering& lowering, const Stage& stage, const Renaming& outer)
      : StageNest(lowering, stage, outer),
        choice_(choose_vector(lowering.kernel, stage, lowering.processor)) {}

  Body lower() {
    open_loops(AxisKind::parallel);
    state_level_ = loops_.size();
    open_loops(AxisKind::ordered);
    result_level_ = loops_.size();
    open_loops(AxisKind::reduced);
    fill();
    return assemble();
  }

 private:
  void open_loops(AxisKind kind) {
    for (std::size_t i = 0; i < stage_.axes.size(); ++i)
      if (stage_.axes[i].kind == kind && choice_.axis != i) open_serial(stage_.axes[i]);
    if (choice_.axis && stage_.axes[*choice_.axis].kind == kind) open_vector(stage_.axes[*choice_.axis]);
  }

  /// axis = outer + width * copy + lane
  void open_vector(const kernel::Axis& axis) {
    const std::int64_t width = choice_.width;
    const std::int64_t copies = axis.kind == AxisKind::reduced ? this->copies(axis) : 1;
    const std::int64_t step = width * copies;
    const auto extent = axis.extent.constant();
    Index index = constant_index(0);
    if (!extent || *extent > step)
      index = index + variable(open(axis.name, LoopKind::serial, axis.extent, step).id);
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

  /// Independent partial states hide the latency of combining; from the extent alone.
  std::int64_t copies(const kernel::Axis& axis) const {
    const auto extent = axis.extent.constant();
    if (!extent || *extent >= 8 * choice_.width) return 4;
    return *extent > choice_.width ? 2 : 1;
  }

  void reduce() override {
    const std::size_t n = stage_.reduction->types.size();
    std::vector<BufferId> partials, states;
    for (std::size_t i = 0; i < n; ++i) {
      partials.push_back(allocate_state(i, partials_ > 1 ? Shape{partials_} : Shape{}));
      states.push_back(partials_ == 1 ? partials[i] : allocate_state(i, {}));
    }
    combine(partials, partials_ > 1 ? std::vector<Index>{partial_} : std::vector<Index>{});
    if (partials_ > 1) {
      Reduce reduce;
      reduce.reduction = *stage_.reduction;
      reduce.reduction.inputs.clear();
      for (std::size_t i = 0; i < n; ++i) {
        reduce.from.push_back(whole(partials[i]));
        reduce.to.push_back({states[i], {}});
      }
      after_[result_level_].push_back({std::move(reduce)});
    }
    take_results(states);
  }

  VectorChoice choice_;
};

}  // namespace

Body lower_stage(Lowering& lowering, const Stage& stage, const Renaming& outer) {
  if (is_tiled(lowering, stage)) return lower_contraction(lowering, stage, outer);
  return VectorStage(lowering, stage, outer).lower();
}

}  // namespace codegen::schedule
