#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// EE. Afterwards a recursive enum is the number of a node (i64) in functions that neither take nor return
/// one, and in the copies of other functions that they call: see node_expansion.h. The payloads of each case
/// are rows of tensors, which belong to the function that neither takes nor returns the enum, and have as
/// many rows as it makes nodes; where that is not known, as many as the dimension `FUNCTION_nodes` says,
/// which the caller gives. Making more is an error as every index outside is. Enums that are in memory, in
/// boxes or on stacks of several functions, whose payloads are made of more than tensors, and that functions
/// without a body take, stay; so do functions that are called from outside with one. The gradient of a
/// function that takes nodes is declared of its copy.
bool enum_expansion(Module& module);

}  // namespace dlvm
