#pragma once

#include "dlvm/support/diagnostic.h"
#include "frontend/check/checked_module.h"

namespace frontend::check {

/// Warns about a softmax along an axis of extent 1, which is 1 everywhere.
void warn_about_axis(dlvm::Diagnostics& diagnostics, const Instance& callee, Location location);

}  // namespace frontend::check
