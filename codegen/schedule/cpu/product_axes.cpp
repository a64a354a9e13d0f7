// The axes of a contraction that is computed as a product, in groups.
#include <algorithm>
#include <limits>

#include "codegen/kernel/ir/walk.h"
#include "codegen/schedule/common/contraction_builder.h"
#include "codegen/schedule/cpu/choose.h"

namespace codegen::schedule::cpu {

using kernel::Axis;
using kernel::AxisId;
using kernel::Stage;

ProductAxes::ProductAxes(const Stage& stage) {
  const kernel::Contraction& c = *stage.contraction;
  const auto fill = [&](AxisGroup& group, const std::vector<AxisId>& ids) {
    for (const AxisId id : ids)
      for (const Axis& axis : stage.axes)
        if (axis.id == id) group.add(axis);
  };
  fill(m, c.m), fill(n, c.n), fill(k, c.k);
}

std::optional<Extent> step_along(Buffers buffers, const Access& access, const AxisGroup& group) {
  if (group.axes.empty()) return 0;
  if (group.axes.size() != 1) return std::nullopt;
  return stride(offset(access, buffers[access.buffer].layout), group.axes[0]->id);
}

AxisGroup line_of_columns(const Stage& stage, Buffers buffers, const AxisGroup& n) {
  constexpr LoopId position = std::numeric_limits<LoopId>::max();
  const auto is_line = [&](const AxisGroup& group) {
    Renaming renaming;
    group.bind(variable(position), renaming);
    const auto has_step = [&](const Access& access, const std::vector<Bound>& bounds) {
      std::set<LoopId> loops;
      std::set<ValueId> values;
      collect(bounds, loops, values);
      return std::ranges::none_of(group.axes, [&](const Axis* axis) { return loops.contains(axis->id); }) &&
             stride(offset(rename(access, renaming), buffers[access.buffer].layout), position);
    };
    bool all = true;
    visit_accesses(stage, [&](const Access& access, const std::vector<Bound>& bounds, bool) {
      all = all && has_step(access, bounds);
    });
    return all;
  };
  AxisGroup line;
  std::size_t first = n.axes.size() - 1;
  for (line.add(*n.axes[first]); first > 0; --first) {
    AxisGroup longer;
    for (std::size_t i = first - 1; i < n.axes.size(); ++i) longer.add(*n.axes[i]);
    if (!longer.extent.constant() || !is_line(longer)) break;
    line = std::move(longer);
  }
  return line;
}

AxisGroup line_of_results(const Stage& stage, Buffers buffers, const AxisGroup& n) {
  Stage results = stage;
  results.body.clear();
  return line_of_columns(results, buffers, n);
}

std::optional<Extent> collapsed_step(Buffers buffers, const Access& access, const AxisGroup& group) {
  if (group.axes.size() < 2) return step_along(buffers, access, group);
  constexpr LoopId position = std::numeric_limits<LoopId>::max();
  Renaming renaming;
  group.bind(variable(position), renaming);
  return stride(offset(rename(access, renaming), buffers[access.buffer].layout), position);
}

SplitAxes split_k(const AxisGroup& k) {
  SplitAxes split;
  std::size_t first = k.axes.size();
  while (first > 1) {
    const auto extent = k.axes[first - 1]->extent.constant();
    if (!extent || *extent < 1 || split.size * *extent > product_k_block) break;
    split.size *= *extent;
    split.inner.insert(split.inner.begin(), k.axes[--first]);
  }
  for (std::size_t i = 0; i < first; ++i) split.outer.add(*k.axes[i]);
  return split;
}

const Axis* batch_of_columns(const Stage& stage, const ProductAxes& axes) {
  const auto* right = std::get_if<Scalar::Load>(&stage.body[stage.contraction->right].definition);
  if (right == nullptr || right->access.indices.empty()) return nullptr;
  const Axis* first = axes.n.axes.front();
  const auto has_first = [&](const Index& index) {
    const std::vector<AxisId> known = kernel::axes_of(index);
    return std::ranges::find(known, first->id) != known.end();
  };
  const bool is_batch =
      right->access.indices.front() == variable(first->id) &&
      std::ranges::count_if(right->access.indices, has_first) == 1 &&
      std::ranges::none_of(right->bounds, [&](const Bound& bound) { return has_first(bound.index); });
  return is_batch ? first : nullptr;
}

Stage with_batch_apart(const Stage& stage) {
  Stage apart = stage;
  const ProductAxes axes(stage);
  const Axis* batch = axes.n.axes.size() > 1 ? batch_of_columns(stage, axes) : nullptr;
  if (batch == nullptr) return apart;
  std::erase(apart.contraction->n, batch->id);
  apart.contraction->batch.push_back(batch->id);
  return apart;
}

Stage with_strips_apart(const Stage& stage, std::int64_t strip) {
  Stage apart = with_batch_apart(stage);
  const AxisId first = apart.contraction->n.front();
  const auto axis = std::ranges::find(apart.axes, first, &Axis::id);
  if (axis->extent.is(strip)) return apart;
  AxisId unused = 0;
  const auto see = [&](AxisId id) { unused = std::max(unused, id + 1); };
  for (const Axis& each : apart.axes) see(each.id);
  kernel::visit_accesses(apart, [&](Access& access, const auto&, bool) {
    for (const Index& index : access.indices) std::ranges::for_each(kernel::axes_of(index), see);
  });
  Renaming renaming;
  renaming.axes[first] = variable(unused) * Extent(strip) + variable(first);
  kernel::visit_scalars(apart, [&](Scalar& scalar) { scalar = rename(scalar, renaming); });
  for (kernel::Store& store : apart.stores) {
    store.access = rename(store.access, renaming);
    store.bounds = rename(store.bounds, renaming);
  }
  const Extent strips = *Extent::exact_divide(axis->extent, strip);
  axis->extent = strip;
  apart.axes.insert(axis, {unused, axis->name + "_strip", strips, kernel::AxisKind::parallel});
  apart.contraction->batch.push_back(unused);
  return apart;
}

}  // namespace codegen::schedule::cpu
