#pragma once

#include <vector>

#include "dlvm/support/diagnostic.h"

namespace codegen {

/// Every kind of message that this library can give.
std::vector<const dlvm::DiagnosticKind*> diagnostic_kinds();

}  // namespace codegen
