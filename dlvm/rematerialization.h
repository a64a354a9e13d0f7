#pragma once

#include <vector>

#include "dlvm/ir/module.h"
#include "dlvm/memory_budget.h"
#include "dlvm/support/diagnostic.h"

namespace dlvm {

/// The pass REM, behind all that makes equal instructions one. Afterwards each function of one block that has
/// the attribute `rematerialize` keeps at most `budget` bytes at each of its peaks of memory, if that can be
/// had (dlvm/transform/rematerialization_plan.h), and the attribute is gone. Of a function with branches the
/// same holds for what these keep (dlvm/transform/arm_rematerialization.h). Functions with loops stay.
/// Values and first derivatives have the same bits for every budget; higher ones may differ. A function that
/// keeps more whatever is tried is reported as a warning. The declarations in `choices`, if not null, are
/// given what became of them.
bool rematerialization(Module& module, Diagnostics& diagnostics, const MemoryBudget& budget,
                       std::vector<CheckpointingChoice>* choices = nullptr);

}  // namespace dlvm
