#include "codegen/schedule/cpu/accumulation.h"

#include <algorithm>

#include "codegen/schedule/common/contraction_builder.h"
#include "codegen/schedule/common/masked_sum.h"

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

}  // namespace

bool is_wide_row(const CpuLowering& lowering, const Stage& own, kernel::ScalarId operand) {
  const Access* access = plain_access(own, operand);
  if (access == nullptr || !lowering.padded.contains(access->buffer)) return false;
  const Buffers buffers = lowering.schedule.buffers;
  const ProductAxes axes(own);
  const AxisGroup& other = operand == own.contraction->left ? axes.m : axes.n;
  return buffers[access->buffer].element == own.reduction->types[0] && step_along(buffers, *access, other) &&
         step_along(buffers, *access, axes.k);
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
