// Entry points: their functions, and what each argument and result is.
#pragma once

#include "frontend/lower/body.h"

namespace frontend::lower {

/// Makes the entry point's function (or, of a gradient, the function that is differentiated and its
/// declaration) and adds its description to the module. A gradient of nothing, where no out is floating-point
/// and there is no loss, is left out.
void lower_entry(const check::Program& program, const check::Entry& entry, Functions& functions,
                 dlvm::Module& module);

/// Returns the function `(seed: u64) -> type` that computes the parameter's initial value.
dlvm::Function* lower_initializer(const Declaration& parameter, Functions& functions);

}  // namespace frontend::lower
