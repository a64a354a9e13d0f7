#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// CP. Afterwards no instruction whose operands are literals is left where the interpreter can compute it
/// alone and the result is no larger than its operands (or has at most 16 elements). Elementwise instructions
/// of splats give splats, of any shape.
bool constant_propagation(Function& function);

}  // namespace dlvm
