// Which axis of a stage becomes the vector's: cost of a point, in scalar instructions, for each candidate.
#include <algorithm>

#include "codegen/schedule/common/lowering.h"
#include "codegen/schedule/cpu/choose.h"

namespace codegen::schedule::cpu {
namespace {

using kernel::AxisKind;
using kernel::Stage;

/// Lanes may be combined in any order.
bool splits(const Stage& stage) { return stage.reduction && stage.reduction->any_order; }

bool has_axis(const Stage& stage, AxisKind kind) {
  return std::any_of(stage.axes.begin(), stage.axes.end(), [&](const auto& a) { return a.kind == kind; });
}

std::int64_t lanes(const Stage& stage, const CpuTarget& target) {
  std::int64_t bytes = 4;
  for (const auto* scalars : {&stage.body, &stage.epilogue})
    for (const Scalar& scalar : *scalars)
      if (dlvm::is_floating(scalar.type))
        bytes = std::max<std::int64_t>(bytes, dlvm::info(scalar.type).bytes);
  return target.vector_bytes / bytes;
}

/// A stage's accesses and arithmetic along one axis, or as scalars.
class Cost {
 public:
  Cost(Buffers buffers, const Stage& stage, std::optional<std::size_t> axis, std::int64_t width)
      : buffers_(buffers), width_(static_cast<double>(axis ? width : 1)) {
    if (axis) axis_ = stage.axes[*axis].id;
    // Work that is done once a reduced point counts more than work that is done once a result.
    const double outer = has_axis(stage, AxisKind::reduced) ? 0.05 : 1;
    for (const Scalar& scalar : stage.body) add(scalar, 1);
    for (const Scalar& scalar : stage.epilogue) add(scalar, outer);
    for (const auto& store : stage.stores) add(store.access, outer);
    if (!axis) return;
    const auto& chosen = stage.axes[*axis];
    if (chosen.kind == AxisKind::reduced) total_ += 0.01;
    if (const auto extent = chosen.extent.constant(); extent && *extent > 0) {
      const auto points = static_cast<double>(*extent);
      total_ *= (points + width_ - 1) / points;  // the last vector may have one point
    }
  }
  double total() const { return total_; }

 private:
  void add(const Scalar& scalar, double weight) {
    std::visit([&](const auto& definition) { add(definition, weight); }, scalar.definition);
  }
  void add(const Scalar::Literal&, double) {}
  void add(const Scalar::Position&, double) {}
  void add(const Scalar::Load& load, double weight) { add(load.access, weight); }
  void add(const Scalar::Operation& operation, double weight) {
    const bool costly = dlvm::definition(operation.opcode).is(dlvm::Trait::costly);
    total_ += weight * (costly ? 20 : 1) / width_;
  }
  void add(const Scalar::State&, double) {}
  void add(const Scalar::Check&, double) {}
  void add(const Scalar::Random&, double weight) { total_ += weight * 40 / width_; }
  void add(const Access& access, double weight) {
    if (!axis_) {
      total_ += weight;
      return;
    }
    const auto step = stride(offset(access, buffers_[access.buffer].layout), *axis_);
    if (step && !has_loaded(access) && (step->is(0) || step->is(1)))
      total_ += weight / width_;
    else
      total_ += weight * 1.4;
  }

  Buffers buffers_;
  std::optional<kernel::AxisId> axis_;
  double width_;
  double total_ = 0;
};

}  // namespace

PointsPlan choose_vector(const Stage& stage, Buffers buffers, const CpuTarget& target) {
  if (target.vector_bytes == 0 || runs_in_order(stage)) return {};
  const std::int64_t width = lanes(stage, target);
  if (width < 2) return {};
  PointsPlan best;
  double lowest = Cost(buffers, stage, std::nullopt, 1).total();
  const bool reduced = splits(stage) && !has_axis(stage, AxisKind::ordered);
  for (std::size_t i = 0; i < stage.axes.size(); ++i) {
    const AxisKind kind = stage.axes[i].kind;
    if (kind == AxisKind::ordered || (kind == AxisKind::reduced && !reduced)) continue;
    if (stage.axes[i].extent.is(0) || stage.axes[i].extent.is(1)) continue;
    const double total = Cost(buffers, stage, i, width).total();
    if (total < lowest) {
      lowest = total;
      best.vector_axis = i;
      best.width = width;
    }
  }
  return best;
}

}  // namespace codegen::schedule::cpu
