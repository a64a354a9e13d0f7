#pragma once

#include "dlvm/support/diagnostic.h"
#include "frontend/check/checked_module.h"

namespace frontend::check {

/// Gives functions that call each other what follows from the bodies of all of them: whether they depend on
/// `training`, and what has to hold between extents. Reports functions none of whose calls returns.
void complete_recursion(Program& program, dlvm::Diagnostics& diagnostics);

}  // namespace frontend::check
