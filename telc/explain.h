#pragma once

#include <string>
#include <string_view>

#include "dlvm/support/diagnostic.h"

namespace telc {

/// The kind of message with that code, in any case of letters; null where there is none.
const dlvm::DiagnosticKind* kind_of(std::string_view code);
/// What `--explain` prints.
std::string explanation(const dlvm::DiagnosticKind& kind);

}  // namespace telc
