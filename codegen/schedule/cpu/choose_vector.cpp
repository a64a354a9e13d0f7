// Which axis of a stage becomes the vector's: cost of a point, in scalar instructions, for each candidate.
#include <algorithm>

#include "codegen/schedule/cpu/lower_stage.h"

namespace codegen::schedule::cpu {
namespace {

using kernel::AxisKind;
using kernel::Stage;

/// Lanes may be combined in any order.
bool splits(const Stage& stage) { return stage.reduction && stage.reduction->any_order; }

bool has_axis(const Stage& stage, AxisKind kind) {
  return std::any_of(stage.axes.begin(), stage.axes.end(), [&](const auto& a) { return a.kind == kind; });
}

unsigned lanes(const Stage& stage, const Processor& processor) {
  unsigned bytes = 4;
  for (const auto* scalars : {&stage.body, &stage.epilogue})
    for (const Scalar& scalar : *scalars)
      if (dlvm::is_floating(scalar.type)) bytes = std::max<unsigned>(bytes, dlvm::info(scalar.type).bytes);
  return processor.vector_bytes / bytes;
}

/// A stage's accesses and arithmetic along one axis, or as scalars.
class Cost {
 public:
  Cost(const kernel::Kernel& kernel, const Stage& stage, std::optional<std::size_t> axis, unsigned width)
      : kernel_(kernel), width_(axis ? width : 1) {
    if (axis) axis_ = stage.axes[*axis].id;
    // What is done once a reduced point counts more than what is done once a result.
    const double outer = has_axis(stage, AxisKind::reduced) ? 0.05 : 1;
    for (const Scalar& scalar : stage.body) add(scalar, 1);
    for (const Scalar& scalar : stage.epilogue) add(scalar, outer);
    for (const auto& store : stage.stores) add(store.access, outer);
    if (!axis) return;
    const auto& chosen = stage.axes[*axis];
    if (chosen.kind == AxisKind::reduced) total_ += 0.01;
    if (const auto extent = chosen.extent.constant(); extent && *extent > 0) {
      const auto vectors = (*extent + width_ - 1) / width_;
      total_ *= static_cast<double>(vectors * width_) / static_cast<double>(*extent);
    }
  }
  double total() const { return total_; }

 private:
  void add(const Scalar& scalar, double weight) {
    if (const auto* load = std::get_if<Scalar::Load>(&scalar.definition)) return add(load->access, weight);
    if (const auto* operation = std::get_if<Scalar::Operation>(&scalar.definition)) {
      const bool costly = dlvm::definition(operation->opcode).is(dlvm::Trait::costly);
      total_ += weight * (costly ? 20 : 1) / width_;
    }
    if (std::holds_alternative<Scalar::Random>(scalar.definition)) total_ += weight * 40 / width_;
  }
  void add(const Access& access, double weight) {
    if (!axis_) {
      total_ += weight;
      return;
    }
    const auto layout = dense_layout(kernel_.buffers[access.buffer].shape);
    const auto step = stride(offset(access, layout), *axis_);
    if (step && !has_loaded(access) && (step->is(0) || step->is(1)))
      total_ += weight / width_;
    else
      total_ += weight * 1.4;
  }

  const kernel::Kernel& kernel_;
  std::optional<kernel::AxisId> axis_;
  double width_;
  double total_ = 0;
};

}  // namespace

VectorChoice choose_vector(const kernel::Kernel& kernel, const Stage& stage, const Processor& processor) {
  if (processor.vector_bytes == 0 || runs_in_order(stage)) return {};
  const unsigned width = lanes(stage, processor);
  if (width < 2) return {};
  VectorChoice best;
  double least = Cost(kernel, stage, std::nullopt, 1).total();
  const bool reduced = splits(stage) && !has_axis(stage, AxisKind::ordered);
  for (std::size_t i = 0; i < stage.axes.size(); ++i) {
    const AxisKind kind = stage.axes[i].kind;
    if (kind == AxisKind::ordered || (kind == AxisKind::reduced && !reduced)) continue;
    if (stage.axes[i].extent.is(0) || stage.axes[i].extent.is(1)) continue;
    const double total = Cost(kernel, stage, i, width).total();
    if (total < least) {
      least = total;
      best = {i, width};
    }
  }
  return best;
}

}  // namespace codegen::schedule::cpu
