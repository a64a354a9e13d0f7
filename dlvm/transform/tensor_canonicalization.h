#pragma once

#include "dlvm/ir/function.h"

namespace dlvm {

/// Gives tensors the form at which rules of derivatives and rewrites look: constants stand among the
/// operands, not in `literal` instructions; what is made of elements along a first axis is a concatenation,
/// and such an element is a slice, not an `extract`. Returns whether there was something else.
bool canonicalize_tensors(Function& function);

/// Puts a `literal` instruction at the beginning of the body for each constant with axes that stands among
/// operands, so that a reader sees it once.
void name_constant_tensors(Function& function);

}  // namespace dlvm
