#pragma once

#include <string_view>
#include <vector>

#include "dlvm/diagnostics/diagnostic.h"

namespace telc {

/// Every kind of message that telc and dlopt can give.
std::vector<const dlvm::DiagnosticKind*> all_kinds();
/// The kind of that code, in any case of letters; null where there is none.
const dlvm::DiagnosticKind* kind_of(std::string_view code);

}  // namespace telc
