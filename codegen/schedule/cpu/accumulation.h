#pragma once

#include "codegen/schedule/cpu/choose.h"
#include "codegen/schedule/cpu/lowering.h"

namespace codegen::schedule::cpu {

/// Returns whether the contraction's operand is rows of a local buffer that was widened: they are near, and
/// not all in the same set of a cache, so that products read them from where they are. `own` has all axes of
/// the operand itself.
bool is_wide_row(const CpuLowering& lowering, const kernel::Stage& own, kernel::ScalarId operand);

/// Returns the stage as a product of its own: the axis that it accumulates is reduced as one of its own.
kernel::Stage with_own_terms(const kernel::Stage& stage, const kernel::Axis& axis);

/// Returns the plan for the contraction with terms of its own as a product that adds `terms` of them at a
/// time to sums in memory; nothing if it is none.
std::optional<ProductPlan> choose_accumulated(const CpuLowering& lowering, const kernel::Stage& own,
                                              std::int64_t terms);

}  // namespace codegen::schedule::cpu
