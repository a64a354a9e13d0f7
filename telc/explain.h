#pragma once

#include <string>
#include <string_view>

#include "dlvm/support/diagnostic.h"

namespace telc {

/// Returns the kind of message with that code, in upper or lower case, or null if there is none.
const dlvm::DiagnosticKind* kind_of(std::string_view code);
/// Returns the text that `--explain` prints.
std::string explanation(const dlvm::DiagnosticKind& kind);

}  // namespace telc
