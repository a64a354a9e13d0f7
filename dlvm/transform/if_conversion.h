#pragma once

#include "dlvm/ir/function.h"

namespace dlvm {

/// The pass IFC. A conditional whose ways do nothing but go on to one block, with the same values or with
/// values that differ in scalars alone, becomes a branch: a `select` chooses the scalars. Tensors are not
/// chosen, because a `select` would need both of them. Where a conditional is gone, CFGSimp follows.
bool if_conversion(Function& function);

}  // namespace dlvm
