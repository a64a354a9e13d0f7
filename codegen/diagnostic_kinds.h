#pragma once

#include <vector>

#include "dlvm/support/diagnostic.h"

namespace codegen {

/// Returns every kind of diagnostic that code generation and its targets can report.
std::vector<const dlvm::DiagnosticKind*> diagnostic_kinds();

}  // namespace codegen
