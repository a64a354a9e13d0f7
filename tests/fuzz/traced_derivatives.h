#pragma once

#include "dlvm/interpret/interpret.h"
#include "dlvm/ir/module.h"

namespace fuzz {

/// Declares the first and second derivative of a function by its two floating arguments, the functions
/// `first` and `second`, and the first in forward mode, `forward`.
void declare_derivatives(dlvm::Module& module, const dlvm::Function& f);

/// Compares these functions of a module with the derivatives of what one run of the function does (trace.h),
/// and the one in forward mode with the one in reverse mode. Returns how many were compared: none where the
/// run fails or is long.
int compare_with_trace(const dlvm::Module& differentiated, const dlvm::Function& original,
                       const std::vector<dlvm::RuntimeValue>& inputs, std::uint64_t seed,
                       const dlvm::InterpretOptions& options);

}  // namespace fuzz
