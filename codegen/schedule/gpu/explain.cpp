#include "codegen/schedule/gpu/explain.h"

#include <fmt/format.h>

#include "codegen/schedule/gpu/dynamic_rows.h"
#include "codegen/schedule/gpu/small_product.h"
#include "codegen/schedule/gpu/split_reduction.h"

namespace codegen::schedule::gpu {

using kernel::Stage;

std::string explain(const ProductPlan& plan, const Stage& stage, const VariantPlan& variant) {
  const std::int64_t small = plan.on_tensor_cores ? tensor_core_small_m_rows : thread_small_m_rows;
  std::string text =
      fmt::format("product on {}, tiles of {} x {}, panels of {} along k",
                  plan.on_tensor_cores ? "tensor cores" : "threads", plan.rows, plan.columns, plan.depth);
  if (plan.stages > 1) text += fmt::format(" in {} stages", plan.stages);
  if (plan.parts > 1) text += fmt::format(", k in {} parts", plan.parts);
  if (is_small_product(stage))
    return text + fmt::format(", because two of m, n and k are at most {}", small_extent);
  if (plan.parts > 1) return text + fmt::format(", because there are few tiles and k > {}", whole_chain);
  if (plan.rows == small) return text + fmt::format(", because m <= {}", small);
  if (variant.whole_products && whole_product_guard(stage))
    return text + fmt::format(", because k <= {}", whole_chain);
  return text + fmt::format(", because k >= {}", min_product_depth);
}

std::string explain(const Tiling& tiling) {
  return fmt::format(
      "transposition, tiles of {} x {} through shared memory, because memory is contiguous along "
      "{} and {}",
      tiling.columns.side, tiling.rows.side, tiling.transposed.row->name, tiling.transposed.column->name);
}

std::string explain(const PointsPlan& plan, const Stage& stage) {
  if (runs_in_order(stage))
    return "points in order, one thread for those that stores mix, because stores may meet";
  if (plan.width > 1)
    return fmt::format("points, one thread for {}, because memory is contiguous along {}", plan.width,
                       stage.axes.back().name);
  if (!stage.reduction) return "points, one thread for each, because they are no vectors";
  if (!combines_in_any_order(stage))
    return "points, one thread for each, because states combine in order alone";
  return "points, one thread for each, because memory is not contiguous along the reduced axes";
}

std::string explain(const SplitPlan& plan) {
  return fmt::format(
      "two-stage reduction, chunks of {}, because it has fewer than {} results and more than {} "
      "points each",
      plan.chunk, min_parallel_points, 4 * plan.chunk);
}

std::string explain_team(const kernel::Block& block, const Team& team, const GpuTarget& target,
                         const VariantPlan& variant) {
  if (team.threads == target.warp_threads) return fmt::format("one warp a row, because n <= {}", short_row);
  const auto upper = max_points(variant.row, block);
  const std::int64_t lower = min_points(variant.row, block);
  const std::string why = upper && *upper <= short_row ? std::string("there is one row")
                          : lower >= long_row          ? fmt::format("n >= {}", long_row)
                          : lower > short_row          ? fmt::format("{} < n < {}", short_row, long_row)
                                                       : std::string("n is not known");
  return "one block a row, because " + why;
}

std::string explain_row(const Stage& stage, Buffers buffers, const std::string& team, bool is_in_registers) {
  const WorkDistribution distribution = choose_work_distribution(stage, buffers);
  const std::string_view work =
      stage.sorting                                        ? "sort of a row, by exchanges"
      : distribution == WorkDistribution::cooperative_scan ? "scan of a row, in logarithmic steps"
      : stage.reduction && distribution == WorkDistribution::cooperative_reduction ? "row reduction"
      : distribution == WorkDistribution::replicated ? "value of a row, by all threads alike"
                                                     : "points of a row";
  return fmt::format("{}, {}{}", work, is_in_registers ? "in registers, " : "", team);
}

}  // namespace codegen::schedule::gpu
