#pragma once

#include "dlvm/support/diagnostic.h"
#include "frontend/check/checked_module.h"

namespace frontend::check {

/// Enters the derivatives of functions, `gradient f_dw of f wrt w`, and checks what they name.
void declare_derivatives(Program& program, dlvm::Diagnostics& diagnostics);

/// Reports the derivatives of the module whose function is not known, where other mistakes keep the entry
/// points from being looked at.
void report_unknown_derivatives(Program& program, dlvm::Diagnostics& diagnostics);

}  // namespace frontend::check
