#pragma once

#include "dlvm/ir/function.h"

namespace dlvm {

/// The pass VS. A view of a parameter of the function, such as a slice of a weight matrix, is computed in each
/// block that uses it: kernels read it in place there, while a view that several blocks use is a copy in memory.
/// These views keep elements that are neighbours next to each other, so that reading them in place costs
/// nothing. What a branch passes on stays, because it is in memory in any case.
bool view_sinking(Function& function);

}  // namespace dlvm
