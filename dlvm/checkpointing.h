#pragma once

#include <vector>

#include "dlvm/ir/module.h"
#include "dlvm/memory_budget.h"
#include "dlvm/support/diagnostic.h"

namespace dlvm {

/// The pass CKP, before AD. Afterwards each gradient declaration keeps at most `budget` bytes, if that can be
/// had: the loops of what it differentiates are cut into segments (dlvm/transform/loop_segmentation.h), and
/// what a segment computes is computed again when it is run backwards. Of what fits, the pass takes what
/// computes the fewest steps again. A declaration that keeps more whatever is tried is reported as a warning.
/// First derivatives have the same bits for every budget, but for those of a NaN.
/// Loops of functions that are called are not cut. A declaration of a function without loops gets the
/// attribute `rematerialize`, and so do the functions that call it. A recursive function keeps values of all
/// its calls, which is reported.
///
/// Loops whose rounds no extent bounds have the dimension `FUNCTION_steps` of the derivative as their bound,
/// which callers give. `dimensions` are values that callers will give dimensions.
///
/// The pass finds by trial what is kept: it differentiates a copy of the module. `choices`, if not null, is
/// given the choice for each declaration of which it is known what the derivative keeps.
bool checkpointing(Module& module, Diagnostics& diagnostics, const MemoryBudget& budget,
                   const Extent::Bindings& dimensions, std::vector<CheckpointingChoice>* choices = nullptr);

}  // namespace dlvm
