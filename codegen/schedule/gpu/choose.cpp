#include "codegen/schedule/gpu/choose.h"

#include <algorithm>

#include "codegen/schedule/common/axis_group.h"
#include "codegen/schedule/gpu/dynamic_rows.h"
#include "codegen/schedule/gpu/explain.h"
#include "codegen/schedule/gpu/long_rows.h"
#include "codegen/schedule/gpu/split_reduction.h"
#include "codegen/schedule/gpu/vectors.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::Axis;
using kernel::AxisKind;
using kernel::Block;
using kernel::Stage;
using RowLength = std::optional<DynamicRowLength>;

/// A warp for each row that is known to have at most 1024 elements, else a block. So long as this is all that
/// decides, a row has the same bits in every schedule.
Team choose_team(const Block& block, const GpuTarget& target, const RowLength& row) {
  const auto extent = max_points(row, block);
  const bool is_short = extent && *extent <= short_row;
  return {is_short && !row_count(block).is(1) ? target.warp_threads : target.block_threads};
}

}  // namespace

StagePlan choose_grid(const Stage& stage, Buffers buffers, const GpuTarget& target,
                      const VariantPlan& variant) {
  if (auto tiling = choose_tiling(stage, buffers, target)) {
    std::string why = explain(*tiling);
    return {std::move(*tiling), std::move(why)};
  }
  if (choose_work_distribution(stage, buffers) == WorkDistribution::per_thread) {
    const PointsPlan points{vector_width(stage, buffers, target)};
    return {points, explain(points, stage)};
  }
  Block rows;
  Stage row = stage;
  std::erase_if(row.axes, [](const Axis& axis) { return axis.kind == AxisKind::parallel; });
  for (const Axis& axis : stage.axes)
    if (axis.kind == AxisKind::parallel) rows.axes.push_back(axis);
  rows.children.push_back(row);
  const RowsPlan plan{choose_team(rows, target, variant.row)};
  return {plan, explain_row(row, buffers, explain_team(rows, plan.team, target, variant), false)};
}

StagePlan choose(const Stage& stage, Buffers buffers, const GpuTarget& target, const VariantPlan& variant) {
  if (is_product(stage)) {
    const ProductPlan product = choose_product(stage, buffers, target, variant);
    return {product, explain(product, stage, variant)};
  }
  if (const auto chunk = choose_chunk(stage)) return {SplitPlan{*chunk}, explain(SplitPlan{*chunk})};
  return choose_grid(stage, buffers, target, variant);
}

BlockPlan choose(const Block& block, const GpuTarget& target, const VariantPlan& variant) {
  BlockPlan plan{choose_team(block, target, variant.row), has_long_rows(block, variant.row), false};
  const auto rows = row_count(block).constant();
  plan.spreads = plan.is_long && (rows ? *rows < target.multiprocessors : variant.spreads_long_rows);
  return plan;
}

}  // namespace codegen::schedule::gpu
