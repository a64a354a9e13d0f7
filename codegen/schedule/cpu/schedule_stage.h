#pragma once

#include "codegen/schedule/cpu/choose.h"
#include "codegen/schedule/cpu/lowering.h"

namespace codegen::schedule::cpu {

/// Returns the stage's loops inside of those that `outer` names for the blocks' axes, as `choose` decides.
Body schedule_stage(CpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer);

/// Returns a contraction's loops over tiles.
Body schedule_product(CpuLowering& lowering, const kernel::Stage& stage, const Renaming& outer,
                      const ProductPlan& plan);

}  // namespace codegen::schedule::cpu
