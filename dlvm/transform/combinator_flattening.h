#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// Makes one block of the body of each function that combines elements and whose branches lead forwards, to
/// scalars that elementwise instructions compute: all of them are computed, and a `select` chooses where ways
/// meet. Code and derivatives of combinators are elementwise. Those with loops, or with traps, stay.
bool combinator_flattening(Module& module);

}  // namespace dlvm
