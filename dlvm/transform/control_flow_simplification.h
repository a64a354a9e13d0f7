#pragma once

#include "dlvm/ir/function.h"

namespace dlvm {

/// The pass CFGSimp. Afterwards
///   - the entry reaches every block;
///   - no condition is a literal;
///   - no block but the entry does nothing but go on to another, unless both ways of a conditional would then
///     go to one block (one that goes round for ever stays as well);
///   - a block that only one edge goes to takes no arguments, unless they are the payload of an enum;
///   - no block follows one alone that goes nowhere else: the two are one.
/// Code that may fail stays, and so does a loop, because it may not end.
bool control_flow_simplification(Function& function);

}  // namespace dlvm
