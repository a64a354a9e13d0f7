#include "codegen/schedule/gpu/tiling.h"

#include <algorithm>

#include "codegen/schedule/gpu/vectors.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::Axis;
using kernel::AxisId;
using kernel::ScalarId;
using kernel::Stage;
using Direction = Tiling::Direction;

constexpr std::int64_t most_elements = 8;  ///< that a thread reads or writes at once
constexpr std::int64_t word = 4;           ///< of shared memory, in bytes
constexpr std::size_t most_tiles = 4;      ///< of a block, in shared memory

bool is_in(const AxisGroup& group, const Axis& axis) {
  return std::count(group.axes.begin(), group.axes.end(), &axis) > 0;
}
bool is_below(const Extent& extent, std::int64_t limit) {
  const auto constant = extent.constant();
  return constant && *constant < limit;
}

class Choice {
 public:
  Choice(const Lowering& lowering, const Stage& stage, Transposition found)
      : lowering_(lowering), stage_(stage), row_(*found.row), column_(*found.column) {
    result_.turned = std::move(found);
  }

  std::optional<Tiling> choose() {
    auto& [column, row, loads, stores] = result_.turned;
    if (stores.size() > most_tiles) return std::nullopt;
    loads.resize(std::min(loads.size(), most_tiles - stores.size()));
    list();
    std::int64_t widest = 1;
    for (const Touch& touch : touches_) widest = std::max(widest, bytes(*touch.access));
    if (widest > word) result_.rows.side = result_.columns.side = 16;
    group(result_.columns, column_, row_);
    group(result_.rows, row_, column_);
    // Less than 32 bytes of neighbours, what memory gives at a time, are no loss to single accesses.
    for (const Direction* direction : {&result_.rows, &result_.columns})
      if (is_below(direction->axes.extent, direction->side / 4)) return std::nullopt;
    for (const Axis& axis : stage_.axes)
      if (!is_in(result_.rows.axes, axis) && !is_in(result_.columns.axes, axis)) result_.batch.add(axis);
    const std::int64_t most = std::min(access_bytes / widest, most_elements);
    choose_width(result_.rows, row_, true, most);
    choose_width(result_.columns, column_, false, most);
    result_.rows.side = std::max(result_.rows.side, 8 * result_.rows.width);
    return std::move(result_);
  }

 private:
  struct Touch {
    const Access* access;
    const std::vector<Bound>* bounds;
    bool is_turned;
  };

  /// Everything that the stage reads and writes: stores first.
  void list() {
    const auto is_in = [](const auto& all, auto one) { return std::count(all.begin(), all.end(), one) > 0; };
    for (std::size_t i = 0; i < stage_.stores.size(); ++i)
      touches_.push_back(
          {&stage_.stores[i].access, &stage_.stores[i].bounds, is_in(result_.turned.stores, i)});
    for (ScalarId id = 0; id < stage_.body.size(); ++id)
      if (const auto* load = std::get_if<Scalar::Load>(&stage_.body[id].definition))
        touches_.push_back({&load->access, &load->bounds, is_in(result_.turned.loads, id)});
  }

  std::int64_t bytes(const Access& access) const {
    return dlvm::info(lowering_.schedule.buffers[access.buffer].element).bytes;
  }

  /// The axis, and while these are less than a tile's side the one whose steps in memory are as large as all
  /// of them, in the first access that goes along it.
  void group(Direction& direction, const Axis& last, const Axis& other) const {
    const auto goes = std::find_if(touches_.begin(), touches_.end(), [&](const Touch& touch) {
      return contiguous_axis(lowering_, stage_, *touch.access) == &last;
    });
    std::vector<const Axis*> axes{&last};
    Extent extent = last.extent;
    const auto follows = [&](const Axis& axis) {
      const auto step = stride(place_of(lowering_, *goes->access), axis.id);
      return &axis != &other && !is_in(result_.columns.axes, axis) &&
             std::count(axes.begin(), axes.end(), &axis) == 0 && step && *step == extent;
    };
    while (goes != touches_.end() && is_below(extent, direction.side)) {
      const auto next = std::find_if(stage_.axes.begin(), stage_.axes.end(), follows);
      if (next == stage_.axes.end()) break;
      axes.push_back(&*next);
      extent = extent * next->extent;
    }
    for (std::size_t i = axes.size(); i-- > 0;) direction.axes.add(*axes[i]);
  }

  /// The most that all accesses allow that are made along the axis.
  void choose_width(Direction& direction, const Axis& axis, bool turned, std::int64_t most) const {
    if (direction.axes.axes.size() > 1) return;
    const bool is_short = is_below(direction.axes.extent, direction.side + 1);
    std::int64_t width = is_short ? std::min(most, direction.side / 8) : most;
    const auto fits = [&](const Touch& touch) {
      return touch.is_turned != turned || allows(touch, axis, width);
    };
    while (width > 1 &&
           !(divides(width, direction.axes.extent) && std::all_of(touches_.begin(), touches_.end(), fits)))
      width /= 2;
    direction.width = width;
  }

  /// Whether `width` neighbours along the axis lie together at a multiple of their size, or are one element,
  /// and are all inside of the bounds or all outside.
  bool allows(const Touch& touch, const Axis& axis, std::int64_t width) const {
    std::set<LoopId> axes;
    std::set<ValueId> values;
    collect(*touch.bounds, axes, values);
    const bool is_bounded = axes.count(axis.id) > 0;
    collect(*touch.access, axes, values);
    const Index place = place_of(lowering_, *touch.access);
    const auto step = stride(place, axis.id);
    if (is_bounded || !values.empty() || !step) return false;
    if (step->is(0)) return true;
    return step->is(1) && allows_vector_at(place, axis, width);
  }

  const Lowering& lowering_;
  const Stage& stage_;
  const Axis &row_, &column_;
  std::vector<Touch> touches_;
  Tiling result_;
};

}  // namespace

std::optional<Tiling> choose_tiling(const Lowering& lowering, const Stage& stage, Transposition found) {
  return Choice(lowering, stage, std::move(found)).choose();
}

}  // namespace codegen::schedule::gpu
