#pragma once

#include "codegen/kernel/ir/contraction.h"
#include "codegen/schedule/common/contraction_builder.h"

/// Sums of a contraction some of whose terms are masked (kernel::Contraction). A schedule multiplies the
/// panels of both operands without regard to the mask: where the right operand is outside of its bounds, the
/// product is left * 0, which is 0 as it should be, or NaN where the left operand is not finite. Such a NaN
/// stays in the sum. So the sums that are NaN, and only these, are computed once more from the stage's terms.
namespace codegen::schedule {

using kernel::has_masked_terms;

/// Appends the test whether the number is NaN to `body` and returns its result: 1 or 0.
ValueId is_nan(ContractionBuilder& builder, ValueId number, Body& body);
/// Returns `body` where the value, which is 0 or 1, is 1; nothing elsewhere.
Body where_one(ContractionBuilder& builder, ValueId value, Body body);

/// Returns statements that allocate the register `total` and add the stage's terms up in it: terms `first` to
/// `first` + `count` along k, in that order, without those beyond the end of k. `at` binds the stage's other
/// axes. After 16 terms or more that give NaN the rest is left out.
Body sum_terms(ContractionBuilder& builder, BufferId total, const AxisGroup& k, const Index& first,
               const Extent& count, Renaming at);
/// Adds a register for one sum to the schedule.
BufferId add_sum(ContractionBuilder& builder, const char* name);

}  // namespace codegen::schedule
