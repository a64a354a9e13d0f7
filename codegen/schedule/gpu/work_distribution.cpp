#include "codegen/schedule/gpu/work_distribution.h"

#include <algorithm>

#include "codegen/schedule/common/axis_group.h"
#include "codegen/schedule/gpu/dynamic_rows.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::Axis;
using kernel::AxisKind;
using kernel::Stage;

bool has_axis(const Stage& stage, AxisKind kind) {
  return std::any_of(stage.axes.begin(), stage.axes.end(), [&](const auto& a) { return a.kind == kind; });
}

/// Returns how many of the body's loads have neighbours along the last axis of that kind next to each other
/// in memory.
int contiguous_loads(const Stage& stage, Buffers buffers, AxisKind kind) {
  const Axis* last = nullptr;
  for (const Axis& axis : stage.axes)
    if (axis.kind == kind && !axis.extent.is(1)) last = &axis;
  if (last == nullptr) return 0;
  int count = 0;
  for (const Scalar& scalar : stage.body) {
    const auto* load = std::get_if<Scalar::Load>(&scalar.definition);
    if (load == nullptr) continue;
    const Layout& layout = buffers[load->access.buffer].layout;
    const auto step = stride(offset(load->access, layout), last->id);
    if (step && step->is(1)) ++count;
  }
  return count;
}

/// Returns whether a block shares the scan of each point: the axis is not known to be so short that a warp
/// may have the row, and memory is not contiguous along another one. The number of points does not matter, so
/// a row has the same bits in every batch.
bool is_long_scan(const Stage& stage, Buffers buffers) {
  const AxisGroup along = axes_of(stage, AxisKind::ordered);
  if (along.axes.size() != 1 || !stage.reduction || runs_in_order(stage)) return false;
  if (const auto length = along.extent.constant(); length && *length <= short_row) return false;
  return contiguous_loads(stage, buffers, AxisKind::ordered) >=
         contiguous_loads(stage, buffers, AxisKind::parallel);
}

}  // namespace

bool is_cooperative(const Stage& stage, Buffers buffers) {
  const WorkDistribution distribution = choose_work_distribution(stage, buffers);
  return distribution == WorkDistribution::cooperative_reduction ||
         distribution == WorkDistribution::cooperative_scan;
}

bool combines_in_any_order(const Stage& stage) {
  return stage.reduction && stage.reduction->any_order && !has_axis(stage, AxisKind::ordered);
}

WorkDistribution choose_work_distribution(const Stage& stage, Buffers buffers) {
  const Extent points = axes_of(stage, AxisKind::parallel).extent;
  const Extent reduced = axes_of(stage, AxisKind::reduced).extent;
  const auto length = reduced.constant();
  if (stage.sorting) return WorkDistribution::cooperative_reduction;
  if (is_long_scan(stage, buffers)) return WorkDistribution::cooperative_scan;
  if (runs_in_order(stage)) return WorkDistribution::per_thread;
  if (combines_in_any_order(stage) && !(length && *length <= 4)) {
    if (points.is(1)) return WorkDistribution::cooperative_reduction;
    const int along = contiguous_loads(stage, buffers, AxisKind::reduced),
              across = contiguous_loads(stage, buffers, AxisKind::parallel);
    if (along > across || (along == across && length && *length >= cooperative_chain))
      return WorkDistribution::cooperative_reduction;
  }
  return points.is(1) ? WorkDistribution::replicated : WorkDistribution::per_thread;
}

}  // namespace codegen::schedule::gpu
