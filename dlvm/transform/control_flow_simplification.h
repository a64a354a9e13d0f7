#pragma once

#include "dlvm/ir/function.h"

namespace dlvm {

/// The pass CFGSimp. Afterwards
///   - the entry reaches every block;
///   - no condition is a literal, and no conditional goes to one block with the same values, or with values
///     that differ in scalars alone: a `select` chooses these. So a conditional whose sides only pass scalars
///     to the block in which they meet is gone;
///   - no block but the entry does nothing but go on to another (one that goes round for ever stays);
///   - no block follows one alone that goes nowhere else: the two are one.
/// What may fail stays, and so does a loop, because it may not end.
bool control_flow_simplification(Function& function);

}  // namespace dlvm
