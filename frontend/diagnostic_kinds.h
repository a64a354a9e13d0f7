#pragma once

#include <vector>

#include "dlvm/support/diagnostic.h"

namespace frontend {

/// Returns every kind of message that this library can give, in the order of their codes.
std::vector<const dlvm::DiagnosticKind*> diagnostic_kinds();

}  // namespace frontend
