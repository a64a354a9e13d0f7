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

constexpr std::int64_t max_elements = 8;  ///< that a thread reads or writes at once
constexpr std::size_t max_tiles = 4;      ///< of a block, in shared memory

bool is_in(const AxisGroup& group, const Axis& axis) {
  return std::count(group.axes.begin(), group.axes.end(), &axis) > 0;
}
bool is_below(const Extent& extent, std::int64_t limit) {
  const auto constant = extent.constant();
  return constant && *constant < limit;
}

class TilingSearch {
 public:
  TilingSearch(const Stage& stage, Buffers buffers, const GpuTarget& target, Transposition found)
      : buffers_(buffers), target_(target), stage_(stage), row_(*found.row), column_(*found.column) {
    result_.transposed = std::move(found);
    result_.rows.side = result_.columns.side = target.warp_threads;
  }

  std::optional<Tiling> run() {
    auto& [column, row, loads, stores] = result_.transposed;
    if (stores.size() > max_tiles) return std::nullopt;
    loads.resize(std::min(loads.size(), max_tiles - stores.size()));
    list();
    std::int64_t widest = 1;
    for (const Touch& touch : touches_) widest = std::max(widest, bytes(*touch.access));
    if (widest > target_.bank_bytes) result_.rows.side = result_.columns.side = target_.warp_threads / 2;
    group(result_.columns, column_, row_);
    group(result_.rows, row_, column_);
    // Neighbours of less than a sector of memory are no loss to single accesses.
    for (const Direction* direction : {&result_.rows, &result_.columns})
      if (is_below(direction->axes.extent, direction->side / 4)) return std::nullopt;
    for (const Axis& axis : stage_.axes)
      if (!is_in(result_.rows.axes, axis) && !is_in(result_.columns.axes, axis)) result_.batch.add(axis);
    const std::int64_t upper_bound = std::min(target_.access_bytes / widest, max_elements);
    choose_width(result_.rows, row_, true, upper_bound);
    choose_width(result_.columns, column_, false, upper_bound);
    result_.rows.side = std::max(result_.rows.side, 8 * result_.rows.width);
    const std::int64_t widest_access = std::max(result_.rows.width, result_.columns.width);
    result_.threads =
        std::min(target_.block_threads, result_.rows.side * result_.columns.side / widest_access);
    return std::move(result_);
  }

 private:
  struct Touch {
    const Access* access;
    const std::vector<Bound>* bounds;
    bool is_transposed;
  };

  /// Everything that the stage reads and writes: stores first.
  void list() {
    const auto is_in = [](const auto& all, auto one) { return std::count(all.begin(), all.end(), one) > 0; };
    for (std::size_t i = 0; i < stage_.stores.size(); ++i)
      touches_.push_back(
          {&stage_.stores[i].access, &stage_.stores[i].bounds, is_in(result_.transposed.stores, i)});
    for (ScalarId id = 0; id < stage_.body.size(); ++id)
      if (const auto* load = std::get_if<Scalar::Load>(&stage_.body[id].definition))
        touches_.push_back({&load->access, &load->bounds, is_in(result_.transposed.loads, id)});
  }

  std::int64_t bytes(const Access& access) const { return dlvm::info(buffers_[access.buffer].element).bytes; }

  /// The axis, and while these are less than a tile's side the one whose steps in memory are as large as all
  /// of them, in the first access that goes along it.
  void group(Direction& direction, const Axis& last, const Axis& other) const {
    const auto goes = std::find_if(touches_.begin(), touches_.end(), [&](const Touch& touch) {
      return contiguous_axis(buffers_, stage_, *touch.access) == &last;
    });
    std::vector<const Axis*> axes{&last};
    Extent extent = last.extent;
    const auto follows = [&](const Axis& axis) {
      const auto step = stride(place_of(buffers_, *goes->access), axis.id);
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

  /// Chooses the largest width that all accesses along the axis allow.
  void choose_width(Direction& direction, const Axis& axis, bool transposed, std::int64_t upper_bound) const {
    if (direction.axes.axes.size() > 1) return;
    const bool is_short = is_below(direction.axes.extent, direction.side + 1);
    std::int64_t width = is_short ? std::min(upper_bound, direction.side / 8) : upper_bound;
    const auto fits = [&](const Touch& touch) {
      return touch.is_transposed != transposed || allows(touch, axis, width);
    };
    while (width > 1 &&
           !(divides(width, direction.axes.extent) && std::all_of(touches_.begin(), touches_.end(), fits)))
      width /= 2;
    direction.width = width;
  }

  /// Whether `width` neighbours along the axis are contiguous at a multiple of their size, or are one
  /// element, and are all inside of the bounds or all outside.
  bool allows(const Touch& touch, const Axis& axis, std::int64_t width) const {
    std::set<LoopId> axes;
    std::set<ValueId> values;
    collect(*touch.bounds, axes, values);
    const bool is_bounded = axes.count(axis.id) > 0;
    collect(*touch.access, axes, values);
    const Index place = place_of(buffers_, *touch.access);
    const auto step = stride(place, axis.id);
    if (is_bounded || !values.empty() || !step) return false;
    if (step->is(0)) return true;
    return step->is(1) && allows_vector_at(place, axis, width);
  }

  Buffers buffers_;
  const GpuTarget& target_;
  const Stage& stage_;
  const Axis &row_, &column_;
  std::vector<Touch> touches_;
  Tiling result_;
};

}  // namespace

std::optional<Tiling> choose_tiling(const Stage& stage, Buffers buffers, const GpuTarget& target) {
  auto found = find_transposition(buffers, stage);
  if (!found) return std::nullopt;
  return TilingSearch(stage, buffers, target, std::move(*found)).run();
}

}  // namespace codegen::schedule::gpu
