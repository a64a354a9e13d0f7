#include "codegen/schedule/cpu/rows_ahead.h"

#include <algorithm>
#include <set>

#include "codegen/kernel/ir/walk.h"
#include "codegen/schedule/cpu/choose.h"

namespace codegen::schedule::cpu {
namespace {

using kernel::Axis;
using kernel::AxisId;
using kernel::Block;
using kernel::Stage;

/// Shorter rows are not fetched: the processor's own fetching does for them.
constexpr std::int64_t min_row_bytes = 1 << 10;
/// All rows together share the L2 cache with what the stages have between them.
constexpr std::int64_t max_bytes = 128 << 10;

/// Returns the stage's only axis of more than one point, if its extent is constant.
const Axis* row_axis(const Stage& stage) {
  const Axis* found = nullptr;
  for (const Axis& axis : stage.axes) {
    if (axis.extent.is(1)) continue;
    if (found != nullptr) return nullptr;
    found = &axis;
  }
  return found != nullptr && found->extent.constant() ? found : nullptr;
}

/// Returns the number of the stage's operations at each point, in simple ones.
int work_of(const Stage& stage) {
  int work = 0;
  for (const Scalar& scalar : stage.body)
    if (const auto* operation = std::get_if<Scalar::Operation>(&scalar.definition))
      work += dlvm::definition(operation->opcode).is(dlvm::Trait::costly) ? 20 : 1;
  return work;
}

class RowsAheadChooser {
 public:
  RowsAheadChooser(const CpuLowering& lowering, const Block& block) : lowering_(lowering), block_(block) {}

  std::optional<RowsAhead> choose() {
    const auto varies = [](const Axis& axis) { return !axis.extent.is(1); };
    const auto row = std::find_if(block_.axes.rbegin(), block_.axes.rend(), varies);
    if (row == block_.axes.rend() || block_.children.size() < 2) return std::nullopt;
    row_ = row->id;
    const auto fetching = choose_stage();
    if (!fetching) return std::nullopt;
    RowsAhead result{*fetching, row_axis(stage(*fetching))->id, {}};
    for (std::size_t s = 0; s < block_.children.size(); ++s)
      kernel::visit_accesses(stage(s),
                             [&](const Access& access, const std::vector<Bound>& bounds, bool reads) {
                               if (bounds.empty() && is_row(access, s)) add(result, access, s, !reads);
                             });
    if (result.rows.empty() || bytes_ > max_bytes) return std::nullopt;
    return result;
  }

 private:
  const Stage& stage(std::size_t position) const { return std::get<Stage>(block_.children[position]); }

  /// Returns the stage that computes most of those that run along a row in vectors, if all children are
  /// stages and several run along rows.
  std::optional<std::size_t> choose_stage() const {
    std::optional<std::size_t> best;
    std::size_t along_rows = 0;
    for (std::size_t s = 0; s < block_.children.size(); ++s) {
      if (!std::holds_alternative<Stage>(block_.children[s]) || stage(s).sorting) return std::nullopt;
      const Axis* axis = row_axis(stage(s));
      if (axis == nullptr) continue;
      ++along_rows;
      const StagePlan chosen =
          cpu::choose(stage(s), lowering_.schedule.buffers, lowering_.target, lowering_.small_m);
      const auto* plan = std::get_if<PointsPlan>(&chosen.plan);
      if (plan == nullptr || !plan->vector_axis || &stage(s).axes[*plan->vector_axis] != axis) continue;
      if (plan->columns > 1 || plan->blocked_axis) continue;
      if (!best || work_of(stage(s)) > work_of(stage(*best))) best = s;
    }
    return along_rows > 1 ? best : std::nullopt;
  }

  /// Returns whether the stage accesses an argument of the kernel row by row, a row for each point.
  bool is_row(const Access& access, std::size_t s) const {
    const Axis* axis = row_axis(stage(s));
    const Buffer& buffer = lowering_.schedule.buffers[access.buffer];
    if (axis == nullptr || buffer.space != Space::argument || has_loaded(access)) return false;
    const Index place = offset(access, buffer.layout);
    const auto along = stride(place, axis->id), across = stride(place, row_);
    return along && along->is(1) && across && *across == axis->extent;
  }

  /// Adds the row unless rows of its buffer are fetched.
  void add(RowsAhead& to, const Access& access, std::size_t s, bool is_written) {
    const Extent &extent = row_axis(stage(s))->extent, &of_stage = row_axis(stage(to.stage))->extent;
    const std::int64_t bytes =
        *extent.constant() * dlvm::info(lowering_.schedule.buffers[access.buffer].element).bytes;
    if (extent != of_stage || bytes < min_row_bytes || !fetched_.insert(access.buffer).second) return;
    bytes_ += bytes;
    Renaming at;
    for (const Axis& axis : stage(s).axes) at.axes[axis.id] = constant_index(0);
    at.axes[row_axis(stage(s))->id] = kernel::axis_index(to.along);
    if (s <= to.stage) at.axes[row_] = kernel::axis_index(row_) + constant_index(1);
    to.rows.push_back({rename(access, at), is_written});
  }

  const CpuLowering& lowering_;
  const Block& block_;
  AxisId row_ = 0;
  std::set<BufferId> fetched_;
  std::int64_t bytes_ = 0;
};

}  // namespace

std::optional<RowsAhead> choose_rows_ahead(const CpuLowering& lowering, const Block& block) {
  return RowsAheadChooser(lowering, block).choose();
}

}  // namespace codegen::schedule::cpu
