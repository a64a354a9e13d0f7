#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// The pass LICM. Afterwards no instruction of a natural loop has operands that are all defined outside of
/// it, if it stands in the loop's preheader as well:
///   - it cannot fail, and it is computed each time round the loop, or costs little: a scalar, or what takes
///     at most the computation of an index;
///   - or it may fail, and stands in the loop's header with nothing in front of it that may fail and stays.
/// A call moves if its callee cannot fail (dlvm/analysis/effects.h). A loop gets a preheader if something
/// moves.
bool loop_invariant_code_motion(Module& module);

}  // namespace dlvm
