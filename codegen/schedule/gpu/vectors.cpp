#include "codegen/schedule/gpu/vectors.h"

#include <algorithm>

#include "codegen/kernel/ir/walk.h"

namespace codegen::schedule::gpu {

using kernel::Axis;
using kernel::AxisKind;
using kernel::Stage;

bool divides(std::int64_t width, const Extent& extent) {
  const auto constant = extent.constant();
  return constant && *constant % width == 0;
}

bool allows_vector_at(const Index& place, const Axis& axis, std::int64_t width) {
  if (!divides(width, axis.extent) || !divides(width, place.constant)) return false;
  return std::all_of(place.terms.begin(), place.terms.end(), [&](const Index::Term& term) {
    const auto* id = std::get_if<kernel::AxisId>(&term.atom);
    return (id != nullptr && *id == axis.id) || divides(width, term.coefficient);
  });
}

bool is_vector(const Stage& stage, Buffers buffers, const Axis& axis) {
  bool fits = true;
  const auto add = [&](const Access& access, const std::vector<Bound>& bounds, bool) {
    std::set<LoopId> loops;
    std::set<ValueId> values;
    collect(bounds, loops, values);
    const Buffer& buffer = buffers[access.buffer];
    const bool own = buffer.space == Space::registers && !buffer.shape.empty();
    const auto step = stride(offset(access, buffer.layout), axis.id);
    fits = fits && loops.count(axis.id) == 0 && values.empty() && step && (own || step->is(0) || step->is(1));
    collect(access, loops, values);
    fits = fits && values.empty() && (own || buffer.space == Space::argument || buffer.shape.empty());
  };
  visit_accesses(stage, add);
  for (const Scalar& scalar : stage.body)
    fits = fits && !std::holds_alternative<Scalar::Check>(scalar.definition);
  return fits && !stage.reduction;
}

std::int64_t vector_width(const Stage& stage, Buffers buffers, const GpuTarget& target) {
  if (stage.reduction || runs_in_order(stage) || stage.axes.empty()) return 1;
  const Axis& last = stage.axes.back();
  const auto extent = last.extent.constant();
  const bool is_flat = stage.axes.size() == 1;  // what is left over goes one by one
  if (last.kind != AxisKind::parallel || (!is_flat && !extent) || last.extent.is(0)) return 1;
  if (!is_vector(stage, buffers, last)) return 1;
  std::int64_t bytes = 1;
  visit_accesses(stage, [&](const Access& access, const std::vector<Bound>&, bool) {
    bytes = std::max<std::int64_t>(bytes, dlvm::info(buffers[access.buffer].element).bytes);
  });
  const std::int64_t width = std::min<std::int64_t>(target.access_bytes / bytes, 8);
  return width > 1 && (is_flat || *extent % width == 0) ? width : 1;
}

bool has_rest(const Stage& stage, std::int64_t width) {
  const auto extent = stage.axes.empty() ? 1 : stage.axes.back().extent.constant();
  return width > 1 && !(extent && *extent % width == 0);
}

}  // namespace codegen::schedule::gpu
