#pragma once

#include "dlvm/ir/function.h"

namespace dlvm {

/// CE. Afterwards no body has a `sort`, `topk`, `rank`, `shape` or `unitCount`: sorts are elements taken at
/// the positions that `argsort` gives, and properties are literals and extents. No later code has to know
/// them.
bool composite_expansion(Function& function);

}  // namespace dlvm
