#pragma once

#include "dlvm/ir/function.h"

namespace dlvm {

/// Puts the constant itself in the place of each `literal` instruction that gives a tensor, because rules of
/// derivatives and rewrites look at constants among the operands. Returns whether there was one.
bool resolve_named_literals(Function& function);

}  // namespace dlvm
