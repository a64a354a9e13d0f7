#pragma once

#include "dlvm/ir/function.h"

namespace dlvm {

/// CC. Afterwards every cycle of blocks has one entry. A cycle with several gets a block that all ways to
/// them go through: it takes the number of an entry and what is passed to it, and goes on to it.
bool cycle_canonicalization(Function& function);

}  // namespace dlvm
