#pragma once

#include <vector>

#include "dlvm/support/diagnostic.h"

namespace dlvm {

/// Returns every kind of message that this library can give.
std::vector<const DiagnosticKind*> diagnostic_kinds();

}  // namespace dlvm
