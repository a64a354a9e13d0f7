#pragma once

#include "dlvm/transform/node_pools.h"

namespace dlvm {

/// Changes a body so that nodes are numbers. If `owns_pools`, the pools begin empty in it; otherwise its type
/// must be that of a numbered function, and its entry has the arguments of the original.
void expand_nodes(Function& function, const PoolUse& use, bool owns_pools, EnumTypes& types,
                  NumberedFunctions& functions);

}  // namespace dlvm
