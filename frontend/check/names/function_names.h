#pragma once

#include "dlvm/support/diagnostic.h"
#include "frontend/check/checked_module.h"

namespace frontend::check {

/// Enters the functions of every file and of every net, after the dimensions and the nets. Reports signatures
/// that no call could tell apart.
void declare_functions(Program& program, dlvm::Diagnostics& diagnostics);

}  // namespace frontend::check
