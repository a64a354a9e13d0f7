#pragma once

#include <span>

#include "dlvm/diagnostics/diagnostic.h"

namespace frontend {

/// Every kind of message that the frontend can give, in the order of their codes.
std::span<const dlvm::DiagnosticKind* const> diagnostic_kinds();

}  // namespace frontend
