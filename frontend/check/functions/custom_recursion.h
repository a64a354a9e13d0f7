#pragma once

#include "dlvm/support/diagnostic.h"
#include "frontend/check/checked_module.h"

namespace frontend::check {

/// Reports each custom gradient that takes a gradient through the function whose derivative it is: the
/// gradient inside would need the custom gradient that it is a part of.
void check_custom_recursion(const Program& program, dlvm::Diagnostics& diagnostics);

}  // namespace frontend::check
