#include "codegen/schedule/lower/transposition.h"

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

/// The axis whose neighbours lie next to each other in memory; null where there is none.
const Axis* contiguous_axis(const Lowering& lowering, const Stage& stage, const Access& access) {
  if (has_loaded(access)) return nullptr;
  const Index place = place_of(lowering, access);
  for (const Axis& axis : stage.axes) {
    const auto step = stride(place, axis.id);
    if (step && step->is(1) && !axis.extent.is(1)) return &axis;
  }
  return nullptr;
}

/// The axis that the scalar is read along, if it is a load that is turned.
const Axis* turned_along(const Lowering& lowering, const Stage& stage, ScalarId id, const Axis& column) {
  const auto* load = std::get_if<Scalar::Load>(&stage.body[id].definition);
  if (load == nullptr) return nullptr;
  if (!load->bounds.empty() && !std::holds_alternative<Scalar::Literal>(stage.body[load->fill].definition))
    return nullptr;
  std::set<LoopId> axes;
  std::set<ValueId> values;
  collect(load->bounds, axes, values);
  const auto step = stride(place_of(lowering, load->access), column.id);
  if (!values.empty() || !step || step->is(0) || step->is(1)) return nullptr;
  return contiguous_axis(lowering, stage, load->access);
}

}  // namespace

Index place_of(const Lowering& lowering, const Access& access) {
  return offset(access, lowering.schedule.buffers[access.buffer].layout);
}

std::optional<Transposition> find_transposition(const Lowering& lowering, const Stage& stage) {
  if (!is_elementwise(stage)) return std::nullopt;
  Transposition best;
  best.column = contiguous_axis(lowering, stage, stage.stores.front().access);
  if (best.column == nullptr) return std::nullopt;
  for (const kernel::Store& store : stage.stores)
    if (contiguous_axis(lowering, stage, store.access) != best.column) return std::nullopt;
  for (const Axis& row : stage.axes) {
    std::vector<ScalarId> turned;
    for (ScalarId id = 0; id < stage.body.size(); ++id)
      if (turned_along(lowering, stage, id, *best.column) == &row) turned.push_back(id);
    if (turned.size() <= best.turned.size()) continue;
    best.row = &row;
    best.turned = std::move(turned);
  }
  if (best.row == nullptr) return std::nullopt;
  return best;
}

}  // namespace codegen::schedule
