#pragma once

#include "dlvm/ir/function.h"

namespace dlvm {

/// The pass CLC. If y = select(0, x by x <= 0) or y = select(x, 0 by x > 0), then the condition holds for y
/// where it holds for x, NaN included. Where y is in memory anyway, because more than elementwise
/// instructions use it, other uses of the condition compare y. So a derivative reads y, and x need not be
/// kept for it.
bool clipping_conditions(Function& function);

}  // namespace dlvm
