#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// LBP. Afterwards a literal with one value stands as a scalar wherever broadcasting serves, and no
/// instruction that only moves elements is applied to it: its result is such a literal itself.
bool literal_broadcasting_promotion(Function& function);

}  // namespace dlvm
