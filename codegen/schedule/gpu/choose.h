#pragma once

#include <string>
#include <variant>

#include "codegen/schedule/gpu/choose_product.h"
#include "codegen/schedule/gpu/row_registers.h"
#include "codegen/schedule/gpu/tiling.h"
#include "codegen/schedule/gpu/work_distribution.h"

/// The policy for GPUs: which variants a kernel has and what its stages become, as values. Nothing is built
/// to find out; the functions change nothing and depend on their arguments alone.
namespace codegen::schedule::gpu {

/// A thread for `width` neighbouring points.
struct PointsPlan {
  std::int64_t width = 1;
};

/// A team for each point of the parallel axes, whose threads share the reduction.
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

/// Returns what a stage outside of all axes becomes in that variant; its accesses are to `buffers`.
StagePlan choose(const kernel::Stage& stage, Buffers buffers, const GpuTarget& target,
                 const VariantPlan& variant);
/// Returns the same for a stage that is one grid, neither a product nor split.
StagePlan choose_grid(const kernel::Stage& stage, Buffers buffers, const GpuTarget& target,
                      const VariantPlan& variant);

/// The decision for stages under shared axes (rows).
struct BlockPlan {
  Team team;             ///< for each row
  bool is_long = false;  ///< reductions of long rows are split (long_rows.h)
  bool spreads = false;  ///< each stage has grids of its own, as there are few rows
};
BlockPlan choose(const kernel::Block& block, const GpuTarget& target, const VariantPlan& variant);

/// Returns the variants of the kernel for large and small dimensions, the last of which is tried first: the
/// first one is for all that is left. `buffers` are those of the schedule before any stage is lowered.
std::vector<VariantPlan> choose_variants(const kernel::Kernel& kernel, Buffers buffers,
                                         const GpuTarget& target);
/// Returns the variant for few rows of products, which yields to a single block where that exists.
std::optional<VariantPlan> choose_small_m(const kernel::Kernel& kernel, const GpuTarget& target);

/// Returns how many grids the variant has.
std::int64_t grid_count(const kernel::Kernel& kernel, const GpuTarget& target, const VariantPlan& variant);

}  // namespace codegen::schedule::gpu
