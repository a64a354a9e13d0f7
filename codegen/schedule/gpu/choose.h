#pragma once

#include <string>
#include <variant>

#include "codegen/schedule/gpu/choose_product.h"
#include "codegen/schedule/gpu/row_registers.h"
#include "codegen/schedule/gpu/tiling.h"
#include "codegen/schedule/gpu/work_distribution.h"

/// The policy for GPUs: the variants of a kernel and the decision for each stage, as values. Nothing is built
/// to find out, and the functions are pure.
namespace codegen::schedule::gpu {

/// Each thread computes `width` neighbouring points.
struct PointsPlan {
  std::int64_t width = 1;
};

/// Each point of the parallel axes has a team, whose threads share the reduction.
struct RowsPlan {
  Team team;
};

/// A two-stage reduction (split_reduction.h).
struct SplitPlan {
  std::int64_t chunk = 0;
};

/// The decision for one stage.
struct StagePlan {
  std::variant<PointsPlan, Tiling, RowsPlan, SplitPlan, ProductPlan> plan;
  std::string why;  ///< one line: strategy, sizes, and the condition that decided
};

/// Returns the plan of a stage outside of all axes, whose accesses are to `buffers`, in that variant.
StagePlan choose(const kernel::Stage& stage, Buffers buffers, const GpuTarget& target,
                 const VariantPlan& variant);
/// Returns the plan of a stage that becomes one grid, which is neither a product nor a two-stage reduction.
StagePlan choose_grid(const kernel::Stage& stage, Buffers buffers, const GpuTarget& target,
                      const VariantPlan& variant);

/// The decision for stages under shared axes (rows).
struct BlockPlan {
  Team team;             ///< the threads for each row
  bool is_long = false;  ///< reductions of long rows are split (long_rows.h)
  bool spreads = false;  ///< each stage has its own grids, because there are few rows
};
/// Returns the plan of a block, whose stages share its axes, in that variant.
BlockPlan choose(const kernel::Block& block, const GpuTarget& target, const VariantPlan& variant);

/// Returns the variants of the kernel for large and small dimensions. A call runs the last one whose guards
/// hold; the first one is for all remaining dimensions. `buffers` are those of the schedule before any stage
/// is lowered.
std::vector<VariantPlan> choose_variants(const kernel::Kernel& kernel, Buffers buffers,
                                         const GpuTarget& target);
/// Returns the variant for products of few rows, which yields to a single block if the kernel has that
/// variant.
std::optional<VariantPlan> choose_small_m(const kernel::Kernel& kernel, const GpuTarget& target);

/// Returns the number of grids in the variant.
std::int64_t grid_count(const kernel::Kernel& kernel, const GpuTarget& target, const VariantPlan& variant);

}  // namespace codegen::schedule::gpu
