// Constructs that the language does not support yet. Each gets one message, and its parts are skipped, so
// that nothing in them is reported as well.
#pragma once

#include <string_view>

#include "dlvm/support/diagnostic.h"

namespace frontend::syntax {

inline constexpr dlvm::DiagnosticKind not_supported{
    "TEL-E0135", dlvm::Severity::error, "{construct} is not supported yet",
    "The language will have this, but this version of telc does not. Nothing in it has been checked. "
    "docs/language.md lists what is not there yet; the fix says what can be written today."};

struct Unsupported {
  std::string_view name;    ///< the name as a message prints it
  std::string_view advice;  ///< the construct to write instead
};

inline constexpr Unsupported input_of_recursive_enum{
    "an 'in' of an enum that holds itself",
    "give tables of the nodes, from which a function makes it: "
    "func tree(kind: int64[n], i: int64[]) -> Tree { ... }"};

void report_unsupported(const Unsupported& what, dlvm::Location location, dlvm::Diagnostics& diagnostics);

}  // namespace frontend::syntax
