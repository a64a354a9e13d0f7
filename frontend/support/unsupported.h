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
  std::string_view word;    ///< that a declaration starts with, or a role; empty where there is none
  std::string_view name;    ///< as a message has it
  std::string_view advice;  ///< what to write instead
};

/// `net Name …`, `recurrent t …` and so on; null for any other word.
const Unsupported* unsupported_block(std::string_view word);
/// `s: state`; null for any other word.
const Unsupported* unsupported_role(std::string_view word);
/// `dropout(x)`; null for any other word.
const Unsupported* unsupported_function(std::string_view word);

extern const Unsupported function_body, indexed_equation, next_value, sum_over_index, net_instance;

void report_unsupported(const Unsupported& what, dlvm::Location location, dlvm::Diagnostics& diagnostics);

}  // namespace frontend::syntax
