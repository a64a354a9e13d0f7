#pragma once

#include "dlvm/ir/extent.h"

namespace dlvm {

/// Returns whether a dimension of the extent is erased: written `_`, it has no name that anything else could
/// have.
bool has_erased(const Extent& extent);

}  // namespace dlvm
