#pragma once

#include "dlvm/ir/function.h"

namespace dlvm {

/// Puts each constant tensor that a `literal` instruction names among the operands, where rules of
/// derivatives and rewrites look for constants. Returns whether there was one.
bool resolve_named_constants(Function& function);

/// Gives tensors the form at which rules of derivatives and rewrites look: resolves named constants, and
/// makes a concatenation of what is made of elements along a first axis, and a slice of an `extract` of such
/// an element. Returns whether it changed anything.
bool canonicalize_tensors(Function& function);

/// Does the opposite of `resolve_named_constants`: puts a `literal` instruction at the beginning of the body
/// for each constant with axes that stands among operands, so that a reader sees it once.
void name_constant_tensors(Function& function);

}  // namespace dlvm
