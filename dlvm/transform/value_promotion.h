#pragma once

#include "dlvm/ir/function.h"

namespace dlvm {

/// VP. Afterwards no value is in memory that `allocateStack` makes if the function alone uses it, by loads
/// and stores of the whole or of components that are known: each load is the value stored last. Where several
/// ways with different values meet, a block takes the value as an argument, if a load follows.
bool value_promotion(Function& function);

}  // namespace dlvm
