#pragma once

#include "codegen/schedule/cpu/choose.h"
#include "codegen/schedule/cpu/lowering.h"

namespace codegen::schedule::cpu {

/// Returns the loops that compute the stage as `choose` decides, inside the loops to which `outer` binds the
/// blocks' axes.
Body schedule_stage(CpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer);

/// Return the loops over tiles that compute a contraction: `schedule_product` one of any plan, the others one
/// of the form that they are named after.
Body schedule_lines_product(CpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer,
                            const ProductPlan& plan);
Body schedule_lanes_product(CpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer,
                            const ProductPlan& plan);
Body schedule_windows_product(CpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer,
                              const ProductPlan& plan);
Body schedule_rows_product(CpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer,
                           const ProductPlan& plan);
Body schedule_product(CpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer,
                      const ProductPlan& plan);

}  // namespace codegen::schedule::cpu
