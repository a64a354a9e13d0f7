#include "codegen/schedule/gpu/row_registers.h"

#include <algorithm>

#include "codegen/kernel/ir/walk.h"
#include "codegen/schedule/gpu/dynamic_rows.h"
#include "codegen/schedule/gpu/vectors.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::Axis;
using kernel::AxisId;
using kernel::AxisKind;
using kernel::Block;
using kernel::Stage;

class RegisterRowBuilder {
 public:
  RegisterRowBuilder(GpuLowering& lowering, const Block& block, std::int64_t threads, AxisId& next_axis)
      : lowering_(lowering), block_(block), threads_(threads), next_axis_(next_axis) {}

  std::optional<RowInRegisters> run() {
    find_row();
    if (points_ < 2) return std::nullopt;
    find_handed_over();
    find_loaded();
    share_ = choose_share();
    if (share_.steps * share_.width > lowering_.target.max_thread_points) return std::nullopt;
    materialize();
    if (materialized_.empty()) return std::nullopt;
    share_.element = next_axis_++;
    RowInRegisters result{rewritten(), {}, share_};
    for (const BufferId id : materialized_) result.buffers.insert(id);
    return result;
  }

 private:
  /// Whether several stages read the value, or one that reduces it.
  struct Loaded {
    Access access;       ///< over the axes of the row's first stage
    const Stage* stage;  ///< the first that reads it
    int uses = 0;
    bool is_reduced = false;
    std::optional<BufferId> materialized;
  };

  /// How many points there are at most, each one thread's.
  std::int64_t shared_points(const Stage& stage) const {
    if (stage.axes.empty() || stage.contraction || runs_in_order(stage)) return 0;
    const AxisKind kind = stage.axes[0].kind;
    const WorkDistribution distribution =
        kind == AxisKind::reduced ? WorkDistribution::cooperative_reduction : WorkDistribution::per_thread;
    if (kind == AxisKind::ordered ||
        choose_work_distribution(stage, lowering_.schedule.buffers) != distribution)
      return 0;
    Extent all = 1;
    for (const Axis& axis : stage.axes) {
      if (axis.kind != kind) return 0;
      all = all * axis.extent;
    }
    return max_points(lowering_.variant.row, all).value_or(0);
  }

  /// The longest stage's axes are the row's.
  void find_row() {
    for (const auto& child : block_.children) {
      const auto* stage = std::get_if<Stage>(&child);
      if (stage == nullptr || shared_points(*stage) <= points_) continue;
      points_ = shared_points(*stage);
      row_ = stage->axes;
    }
  }

  bool is_of_row(const Stage& stage) const {
    return shared_points(stage) == points_ &&
           std::equal(stage.axes.begin(), stage.axes.end(), row_.begin(), row_.end(),
                      [](const Axis& a, const Axis& b) { return a.extent == b.extent; });
  }

  /// The stage's axes as those of the row's first stage.
  Renaming to_row(const Stage& stage) const {
    Renaming renaming;
    for (std::size_t i = 0; i < row_.size(); ++i) renaming.axes[stage.axes[i].id] = variable(row_[i].id);
    return renaming;
  }

  /// Whether the buffer is the kernel's, of one row.
  bool is_of_point(BufferId id) const {
    if (id < lowering_.schedule.arguments || id >= lowering_.kernel.buffers.size()) return false;
    return lowering_.kernel.buffers[id].depth > 0 || !lowering_.kernel.root.axes.empty();
  }

  /// Whether the access is to the element of the stage's point.
  bool is_at_point(const Access& access, const Stage& stage) const {
    const kernel::Buffer& buffer = lowering_.kernel.buffers[access.buffer];
    Extent stride = 1;
    Index place;
    for (std::size_t i = stage.axes.size(); i-- > 0; stride = stride * stage.axes[i].extent)
      if (!stage.axes[i].extent.is(1)) place = place + variable(stage.axes[i].id) * stride;
    return dlvm::unit_count(buffer.shape) == stride && offset(access, dense_layout(buffer.shape)) == place;
  }

  /// Local buffers of which every stage touches the element of its own point.
  void find_handed_over() {
    std::set<BufferId> others;
    kernel::walk<Stage>(block_, [&](const Stage& stage) {
      const bool row = is_of_row(stage);
      visit_accesses(stage, [&](const Access& access, const std::vector<Bound>& bounds, bool) {
        if (!is_of_point(access.buffer)) return;
        const bool own = row && bounds.empty() && is_at_point(access, stage);
        (own ? handed_over_ : others).insert(access.buffer);
      });
    });
    for (const BufferId id : others) handed_over_.erase(id);
  }

  void find_loaded() {
    for (const auto& child : block_.children) {
      const auto* stage = std::get_if<Stage>(&child);
      if (stage == nullptr || !is_of_row(*stage)) continue;
      std::set<std::size_t> here;
      visit_accesses(*stage, [&](const Access& access, const std::vector<Bound>& bounds, bool is_load) {
        if (is_load && may_load(access, bounds, *stage))
          here.insert(find(rename(access, to_row(*stage)), *stage));
      });
      for (const std::size_t i : here) {
        ++loaded_[i].uses;
        loaded_[i].is_reduced = loaded_[i].is_reduced || stage->reduction;
      }
    }
    std::erase_if(loaded_, [](const Loaded& each) { return each.uses < 2 && !each.is_reduced; });
  }

  /// An element of an argument for each point of the row.
  bool may_load(const Access& access, const std::vector<Bound>& bounds, const Stage& stage) const {
    if (access.buffer >= lowering_.schedule.arguments || !bounds.empty()) return false;
    if (lowering_.schedule.buffers[access.buffer].written) return false;
    std::set<LoopId> axes;
    std::set<ValueId> values;
    collect(access, axes, values);
    return values.empty() && std::all_of(stage.axes.begin(), stage.axes.end(), [&](const Axis& axis) {
             return axis.extent.is(1) || axes.count(axis.id) > 0;
           });
  }

  std::size_t find(Access access, const Stage& stage) {
    for (std::size_t i = 0; i < loaded_.size(); ++i)
      if (is_same(loaded_[i].access, access)) return i;
    loaded_.push_back({std::move(access), &stage, 0, false, std::nullopt});
    return loaded_.size() - 1;
  }
  static bool is_same(const Access& a, const Access& b) {
    return a.buffer == b.buffer && a.indices == b.indices;
  }

  /// A thread's neighbouring points are 16 bytes of the narrowest numbers, if rows are whole such runs and
  /// every thread has one.
  RowShare choose_share() const {
    RowShare share;
    std::int64_t bytes = lowering_.target.access_bytes;
    const auto add = [&](BufferId id) {
      const dlvm::ElementType type = lowering_.kernel.buffers[id].element;
      if (dlvm::is_floating(type)) bytes = std::min<std::int64_t>(bytes, dlvm::info(type).bytes);
    };
    for (const BufferId id : handed_over_) add(id);
    for (const Loaded& each : loaded_) add(each.access.buffer);
    share.width = lowering_.target.access_bytes / bytes;
    const std::int64_t last = row_.back().extent.constant().value_or(1);
    while (last % share.width != 0 || (share.width > 1 && share.width * threads_ > points_)) share.width /= 2;
    const std::int64_t trip = threads_ * share.width;
    share.steps = (points_ + trip - 1) / trip;
    return share;
  }

  /// Values that are handed over come first, then those that are read most often.
  void materialize() {
    for (const BufferId id : handed_over_) {
      if (!reserve_registers(lowering_.schedule.buffers[id].element)) continue;
      Buffer& buffer = lowering_.schedule.buffers[id];
      buffer.shape = {share_.steps * share_.width};
      buffer.layout = dense_layout(buffer.shape);
      buffer.space = Space::registers;
      materialized_.push_back(id);
    }
    std::stable_sort(loaded_.begin(), loaded_.end(),
                     [](const Loaded& a, const Loaded& b) { return a.uses > b.uses; });
    for (Loaded& each : loaded_) {
      const kernel::Buffer& from = lowering_.kernel.buffers[each.access.buffer];
      if (!reserve_registers(from.element)) continue;
      const Shape shape{share_.steps * share_.width};
      each.materialized = lowering_.add_buffer(
          {from.name + ".row", from.element, shape, Space::registers, dense_layout(shape), false, {}});
      materialized_.push_back(*each.materialized);
    }
  }

  /// Takes registers for the thread's points of that type; false, and takes none, where they are not left.
  bool reserve_registers(dlvm::ElementType type) {
    const std::int64_t registers =
        share_.steps * share_.width * std::max<std::int64_t>(1, dlvm::info(type).bytes / 4);
    if (registers_ + registers > lowering_.target.row_registers) return false;
    registers_ += registers;
    return true;
  }

  /// All that is loaded comes first, so that the accesses are under way together.
  Block rewritten() {
    Block result;
    result.axes = block_.axes;
    for (const Loaded& each : loaded_)
      if (each.materialized) result.children.emplace_back(load(each));
    for (const auto& child : block_.children) {
      const auto* stage = std::get_if<Stage>(&child);
      if (stage != nullptr && is_of_row(*stage))
        result.children.emplace_back(on_registers(*stage));
      else
        result.children.push_back(child);
    }
    return result;
  }

  /// The stage with registers in the place of buffers.
  Stage on_registers(const Stage& stage) {
    Stage made = stage;
    visit_accesses(made, [&](Access& access, const std::vector<Bound>& bounds, bool is_load) {
      if (std::find(materialized_.begin(), materialized_.end(), access.buffer) != materialized_.end()) {
        access.indices = {variable(share_.element)};
      } else if (is_load && may_load(access, bounds, stage)) {
        const Access of_row = rename(access, to_row(stage));
        for (const Loaded& each : loaded_)
          if (each.materialized && is_same(each.access, of_row))
            access = {*each.materialized, {variable(share_.element)}};
      }
    });
    return made;
  }

  Stage load(const Loaded& each) {
    const kernel::Buffer& from = lowering_.kernel.buffers[each.access.buffer];
    Stage made;
    made.name = "load";
    made.locations = each.stage->locations;
    Renaming renaming;
    for (const Axis& axis : row_) {
      made.axes.push_back({next_axis_++, axis.name, axis.extent, AxisKind::parallel});
      renaming.axes[axis.id] = variable(made.axes.back().id);
    }
    made.body.push_back({from.element, Scalar::Load{rename(each.access, renaming), {}, 0}});
    made.stores.push_back({{*each.materialized, {variable(share_.element)}}, {}, 0, std::nullopt});
    return made;
  }

  GpuLowering& lowering_;
  const Block& block_;
  std::int64_t threads_;
  AxisId& next_axis_;
  std::int64_t points_ = 0;  ///< of the row
  std::vector<Axis> row_;    ///< its axes
  std::set<BufferId> handed_over_;
  std::vector<Loaded> loaded_;
  RowShare share_;
  std::int64_t registers_ = 0;  ///< that are taken
  std::vector<BufferId> materialized_;
};

}  // namespace

bool RowInRegisters::has(const Stage& stage) const {
  bool result = false;
  visit_accesses(stage, [&](const Access& access, const std::vector<Bound>&, bool) {
    result = result || buffers.count(access.buffer) > 0;
  });
  return result;
}

std::optional<RowInRegisters> keep_row_in_registers(GpuLowering& lowering, const Block& block,
                                                    std::int64_t threads, AxisId& next_axis) {
  return RegisterRowBuilder(lowering, block, threads, next_axis).run();
}

}  // namespace codegen::schedule::gpu
