#pragma once

#include "codegen/schedule/cpu/choose.h"
#include "codegen/schedule/cpu/lowering.h"

namespace codegen::schedule::cpu {

/// Returns the loops that compute the stage as `choose` decides, inside the loops to which `outer` binds the
/// blocks' axes.
Body schedule_stage(CpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer);

/// Return the loops over tiles that compute a contraction: one whose plan has `lines_in_place`, one whose
/// plan has `rows_of_columns`, and any other.
Body schedule_lines_product(CpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer,
                            const ProductPlan& plan);
Body schedule_rows_product(CpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer,
                           const ProductPlan& plan);
Body schedule_product(CpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer,
                      const ProductPlan& plan);

}  // namespace codegen::schedule::cpu
