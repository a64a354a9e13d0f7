#include "codegen/schedule/cpu/accumulation.h"

#include <algorithm>

#include "codegen/kernel/ir/walk.h"
#include "codegen/schedule/common/contraction_builder.h"
#include "codegen/schedule/common/loop_nest_builder.h"
#include "codegen/schedule/common/masked_sum.h"
#include "codegen/schedule/common/statements.h"
#include "codegen/schedule/cpu/row_tiles.h"

namespace codegen::schedule::cpu {
namespace {

using kernel::Axis;
using kernel::AxisKind;
using kernel::Stage;

/// The register tiles of a block, as in a product of panels.
constexpr std::int64_t tiles_of_block = 8;

/// Returns whether the right operand is wide rows that are contiguous along the columns.
bool is_contiguous_row(const CpuLowering& lowering, const Stage& own, const ProductAxes& axes) {
  if (!is_wide_row(lowering, own, own.contraction->right)) return false;
  const auto step = step_along(lowering.schedule.buffers, *plain_access(own, own.contraction->right), axes.n);
  return step && step->is(1);
}

std::vector<const Axis*> axes_of_states(const Stage& stage) {
  std::vector<const Axis*> axes;
  for (const Axis& axis : stage.axes)
    if (axis.kind == AxisKind::parallel) axes.push_back(&axis);
  return axes;
}

/// Returns the body that `build` makes of the indices of the states at a point, in loops over the points.
template <typename Build>
Body for_states(CpuLowering& lowering, const Stage& stage, Renaming renaming, Build build) {
  std::vector<Loop> loops;
  std::vector<Index> at;
  for (const Axis* axis : axes_of_states(stage)) {
    loops.push_back(lowering.serial(*axis, renaming));
    at.push_back(variable(loops.back().id));
  }
  return nested(std::move(loops), build(at, renaming));
}

}  // namespace

Accumulation accumulate_points(CpuLowering& lowering, const Stage& stage, const Renaming& outer,
                               const Renaming& inside) {
  const kernel::Reduction& reduction = *stage.reduction;
  Shape shape;
  for (const Axis* axis : axes_of_states(stage)) shape.push_back(axis->extent);
  Accumulation result;
  std::vector<BufferId> states;
  for (const ElementType type : reduction.types) {
    states.push_back(lowering.add_buffer(
        {stage.name + ".sums", type, shape, Space::arena, dense_layout(shape), false, std::nullopt}));
    result.before.push_back({Allocate{states.back()}});
  }
  ContractionBuilder builder(lowering, stage, outer);
  append(result.before, for_states(lowering, stage, outer, [&](const std::vector<Index>& at, Renaming&) {
           Body body;
           for (std::size_t i = 0; i < states.size(); ++i) {
             const ValueId identity =
                 builder.let({reduction.types[i], Scalar::Literal{reduction.identity[i]}}, body);
             body.push_back({Store{{states[i], at}, {}, identity, std::nullopt}});
           }
           return body;
         }));

  LoopNestBuilder nest(lowering, stage, inside);
  std::vector<Index> at;
  for (const Axis* axis : axes_of_states(stage)) {
    nest.loops.push_back(lowering.serial(*axis, nest.renaming));
    at.push_back(variable(nest.loops.back().id));
  }
  nest.open_serial(AxisKind::reduced);
  nest.fill_reduction([&] { nest.combine(states, at); });
  result.inside = nest.assemble();

  result.after = for_states(lowering, stage, outer, [&](const std::vector<Index>& place, Renaming& renaming) {
    std::vector<Access> sums;
    for (const BufferId state : states) sums.push_back({state, place});
    Body body;
    builder.finish(sums, renaming, body);
    return body;
  });
  return result;
}

Stage with_own_terms(const Stage& stage, const Axis& axis) {
  Stage own = stage;
  own.accumulated.clear();
  own.axes.push_back(axis);
  own.axes.back().kind = AxisKind::reduced;
  return own;
}

std::optional<ProductPlan> choose_accumulated(const CpuLowering& lowering, const Stage& own,
                                              std::int64_t terms) {
  if (!own.contraction || has_masked_terms(own)) return std::nullopt;
  const kernel::Contraction& c = *own.contraction;
  const bool has_batch = std::ranges::any_of(
      own.axes, [&](const Axis& axis) { return std::ranges::count(c.batch, axis.id) > 0; });
  const ProductAxes axes(own);
  if (has_batch || axes.k.axes.size() != 1) return std::nullopt;
  auto plan = choose_product(own, lowering.schedule.buffers, lowering.target, false);
  if (!plan || (plan->form != ProductForm::panels && plan->form != ProductForm::streamed))
    return std::nullopt;
  plan->form = ProductForm::panels;
  plan->k_block = terms;
  plan->k_step.reset();
  plan->fetches_ahead = false;
  plan->left_direct = plan->left_direct || is_wide_row(lowering, own, c.left);
  plan->right_direct = is_contiguous_row(lowering, own, axes);
  // The shorter of the two is one block.
  const auto whole = [](std::int64_t points, std::int64_t tile) {
    return std::max<std::int64_t>((points + tile - 1) / tile, 1) * tile;
  };
  const auto rows = axes.m.extent.constant(), columns = axes.n.extent.constant();
  plan->row_block = tiles_of_block * plan->rows;
  plan->column_block = tiles_of_block * plan->columns;
  if (columns && (!rows || *columns <= *rows))
    plan->column_block = whole(*columns, plan->columns);
  else if (rows)
    plan->row_block = whole(*rows, plan->rows);
  return plan;
}

}  // namespace codegen::schedule::cpu
