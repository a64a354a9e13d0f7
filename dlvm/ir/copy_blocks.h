#pragma once

#include "dlvm/ir/function.h"

namespace dlvm {

/// Builds the body of `from` in `to`, which has none, its dimensions replaced; the type of `to` is that of
/// `from` with the dimensions replaced.
void copy_blocks(Function& to, const Function& from, const Extent::Substitution& names);

}  // namespace dlvm
