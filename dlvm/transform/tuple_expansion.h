#pragma once

#include "dlvm/ir/function.h"

namespace dlvm {

/// TE. Afterwards a block that is not the entry has no argument that is a tuple, and no value that is a tuple
/// is used outside of its block: blocks give each other the leaves of tuples (analysis/leaves.h). A `return`
/// returns a tuple that its block makes. Nothing is taken out of a tuple that a literal makes.
bool tuple_expansion(Function& function);

}  // namespace dlvm
