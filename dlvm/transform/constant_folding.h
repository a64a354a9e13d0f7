#pragma once

#include <span>

#include "dlvm/ir/function.h"

namespace dlvm {

/// Returns, as a literal of `function`, what the instruction gives for these operands; null if the
/// interpreter cannot compute it by itself, or if the result has more bytes than the operands and more than a
/// few elements.
Literal* folded(const Instruction& instruction, std::span<const Literal* const> operands, Function& function);

}  // namespace dlvm
