#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// The pass LBP. Afterwards a literal with one value is a scalar wherever broadcasting serves, and no
/// instruction that only moves elements is applied to it, because its result is such a literal itself.
bool literal_broadcasting_promotion(Function& function);

}  // namespace dlvm
