#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// VP. Afterwards no value is in memory that `allocateStack` makes if the function alone uses it, by loads,
/// stores and copies of the whole or of components: each load is the value stored last. Where several ways
/// with different values meet, a block takes the value as an argument, if a load follows. Run-time positions
/// gather and scatter; those in arrays need values that are made of tensors alone (memory_splitting.h).
bool value_promotion(Module& module);

}  // namespace dlvm
