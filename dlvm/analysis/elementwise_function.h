#pragma once

#include "dlvm/ir/function.h"

namespace dlvm {

/// Returns whether the function can be applied to tensors element by element: it is straight-line and
/// consists of elementwise instructions and calls of such functions.
bool is_elementwise(const Function& function);

}  // namespace dlvm
