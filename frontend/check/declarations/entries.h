// Which entry points a module has.
#pragma once

#include "dlvm/support/diagnostic.h"
#include "frontend/check/checked_module.h"

namespace frontend::check {

/// Fills `entries`: forward, evaluate, gradient, and those that are declared. The gradient of a module
/// without a loss is there too; whether it has a known derivative shows when it is lowered.
void find_entries(Program& program, dlvm::Diagnostics& diagnostics);

}  // namespace frontend::check
