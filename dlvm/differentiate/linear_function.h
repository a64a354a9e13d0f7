#pragma once

#include <cstddef>

#include "dlvm/ir/function.h"

namespace dlvm {

/// Returns null if the function is linear in its parameters from `first` on, taken together, for any values
/// of the others; or else an instruction because of which that cannot be seen. What depends on the parameters
/// is not looked for in callees, so a call with it is such an instruction.
const Instruction* nonlinear_instruction(const Function& function, std::size_t first);

}  // namespace dlvm
