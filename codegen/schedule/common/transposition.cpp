#include "codegen/schedule/common/transposition.h"

#include <algorithm>

namespace codegen::schedule {
namespace {

using kernel::Axis;
using kernel::ScalarId;
using kernel::Stage;

bool is_elementwise(const Stage& stage) {
  if (stage.reduction || stage.stores.empty() || runs_in_order(stage)) return false;
  return std::all_of(stage.axes.begin(), stage.axes.end(),
                     [](const Axis& axis) { return axis.kind == kernel::AxisKind::parallel; }) &&
         std::none_of(stage.body.begin(), stage.body.end(), [](const Scalar& scalar) {
           return std::holds_alternative<Scalar::Check>(scalar.definition);
         });
}

bool depends_on_axes_alone(const std::vector<Bound>& bounds) {
  std::set<LoopId> axes;
  std::set<ValueId> values;
  collect(bounds, axes, values);
  return values.empty();
}

/// Finds the pair of axes for one stage.
class Search {
 public:
  Search(Buffers buffers, const Stage& stage) : buffers_(buffers), stage_(stage) {
    for (const Scalar& scalar : stage.body) {
      const auto* load = std::get_if<Scalar::Load>(&scalar.definition);
      loads_.push_back(load == nullptr ? nullptr : contiguous_axis(buffers, stage, load->access));
    }
    for (const kernel::Store& store : stage.stores)
      stores_.push_back(contiguous_axis(buffers, stage, store.access));
  }

  std::optional<Transposition> run() {
    consider(stores_.front());
    for (const Axis& axis : stage_.axes) consider(&axis);
    if (best_.loads.empty() && best_.stores.empty()) return std::nullopt;
    return best_;
  }

 private:
  void consider(const Axis* column) {
    for (const Axis& row : stage_.axes)
      if (column != nullptr && column != &row) consider(*column, row);
  }

  void consider(const Axis& column, const Axis& row) {
    Transposition found{&column, &row, {}, {}};
    std::size_t row_major = 0;
    for (ScalarId id = 0; id < loads_.size(); ++id) {
      if (loads_[id] == &column && steps(id, row)) ++row_major;
      if (loads_[id] == &row && steps(id, column) && can_move(id)) found.loads.push_back(id);
    }
    for (std::size_t i = 0; i < stores_.size(); ++i) {
      if (stores_[i] == &row && depends_on_axes_alone(stage_.stores[i].bounds))
        found.stores.push_back(i);
      else if (stores_[i] == &column)
        ++row_major;
      else
        return;
    }
    const std::size_t transposed = found.loads.size() + found.stores.size(), all = row_major + transposed;
    if (all < all_ || (all == all_ && transposed >= transposed_)) return;
    best_ = std::move(found);
    all_ = all;
    transposed_ = transposed;
  }

  /// Whether neighbours along the axis are read from far apart.
  bool steps(ScalarId id, const Axis& axis) const {
    const auto step = stride(place_of(buffers_, load(id).access), axis.id);
    return step && !step->is(0) && !step->is(1);
  }
  /// Whether the load may be made where nothing of the stage is known but its axes.
  bool can_move(ScalarId id) const {
    const auto& [access, bounds, fill] = load(id);
    return depends_on_axes_alone(bounds) &&
           (bounds.empty() || std::holds_alternative<Scalar::Literal>(stage_.body[fill].definition));
  }
  const Scalar::Load& load(ScalarId id) const { return std::get<Scalar::Load>(stage_.body[id].definition); }

  Buffers buffers_;
  const Stage& stage_;
  std::vector<const Axis*> loads_, stores_;  ///< what each goes along; null: none, or no load
  Transposition best_;
  std::size_t all_ = 0, transposed_ = 0;  ///< of the best: accesses along its axes, and those transposed
};

}  // namespace

Index place_of(Buffers buffers, const Access& access) {
  return offset(access, buffers[access.buffer].layout);
}

const Axis* contiguous_axis(Buffers buffers, const Stage& stage, const Access& access) {
  if (has_loaded(access)) return nullptr;
  const Index place = place_of(buffers, access);
  for (const Axis& axis : stage.axes) {
    const auto step = stride(place, axis.id);
    if (step && step->is(1) && !axis.extent.is(1)) return &axis;
  }
  return nullptr;
}

std::optional<Transposition> find_transposition(Buffers buffers, const Stage& stage) {
  if (!is_elementwise(stage)) return std::nullopt;
  return Search(buffers, stage).run();
}

}  // namespace codegen::schedule
