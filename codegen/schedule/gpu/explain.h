#pragma once

#include <string>

#include "codegen/schedule/gpu/choose.h"

/// Descriptions of the plans of stages, as `--emit=schedule` shows them: strategy, sizes, and the condition
/// that decided.
namespace codegen::schedule::gpu {

/// Return the plan in words, on one line.
std::string explain(const ProductPlan& plan, const kernel::Stage& stage, const VariantPlan& variant);
std::string explain(const Tiling& tiling);
std::string explain(const PointsPlan& plan, const kernel::Stage& stage);
std::string explain(const SplitPlan& plan);

/// Returns "one warp a row, because n <= 1024", for a team that computes a row of the block.
std::string explain_team(const kernel::Block& block, const Team& team, const GpuTarget& target,
                         const VariantPlan& variant);
/// Returns the plan of one stage of a row in words. `team` is the text of `explain_team`, and
/// `is_in_registers` says that the stage keeps the row in registers.
std::string explain_row(const kernel::Stage& stage, Buffers buffers, const std::string& team,
                        bool is_in_registers);

}  // namespace codegen::schedule::gpu
