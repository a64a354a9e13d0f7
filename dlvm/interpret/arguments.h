#pragma once

#include "dlvm/interpret/interpret.h"

namespace dlvm::evaluation {

/// Binds the names in the function's type by the arguments' extents and takes from `outer` those that no
/// extent binds, gives the arguments the element types with which the interpreter computes, and checks the
/// function's requirements. Returns whether all of it fits; otherwise `error` says what does not.
bool bind_arguments(const Function& function, std::vector<RuntimeValue>& arguments, bool float64,
                    const Extent::Bindings& outer, Extent::Bindings& dimensions, InterpretError& error);

}  // namespace dlvm::evaluation
