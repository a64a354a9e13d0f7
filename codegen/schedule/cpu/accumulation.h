#pragma once

#include "codegen/schedule/cpu/choose.h"
#include "codegen/schedule/cpu/lowering.h"

namespace codegen::schedule::cpu {

/// The statements of a stage that accumulates: those in front of the loops over the accumulated axes, those
/// inside, and those behind.
struct Accumulation {
  Body before, inside, after;
};

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

/// Returns the statements of such a product. Each addition is a chain of its own, which is added to the sums
/// of those before. `first` is the first of its terms.
Accumulation accumulate_product(CpuLowering& lowering, const kernel::Stage& own, const Renaming& outer,
                                const ProductPlan& plan, const Index& first);

}  // namespace codegen::schedule::cpu
