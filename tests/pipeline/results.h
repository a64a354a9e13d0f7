// Results of calls in the interpreter, in a few digits.
#pragma once

#include <string>

#include "dlvm/ir/module.h"

namespace pipeline {

/// Calls each entry point of the module with random tensors, or each function that takes tensors where there
/// is no entry point, which then is one, and returns the beginning of a text that says for each what the
/// results add up to, or why there are none, and the fingerprint of that text. Free dimensions are small.
/// Functions that take long are left out.
std::string results(dlvm::Module& module);

}  // namespace pipeline
