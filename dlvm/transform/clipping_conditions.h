#pragma once

#include "dlvm/ir/function.h"

namespace dlvm {

/// The pass CLC. Of y = select(0, x by x <= 0), as of y = select(x, 0 by x > 0), the sign of y says what that
/// of x says, NaN included. Where y is in memory anyway, because more than elementwise instructions use it,
/// other uses of the condition compare y: so a derivative reads y, and x need not be kept for it.
bool clipping_conditions(Function& function);

}  // namespace dlvm
