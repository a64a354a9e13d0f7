// Comments that were meant as something else.
#pragma once

#include "frontend/parse/token.h"

namespace frontend::syntax {

inline constexpr dlvm::DiagnosticKind comment_as_division{
    "TEL-W0517", dlvm::Severity::warning, "'{text}' is a comment",
    "`//` begins a comment, which ends with the line. What divides and rounds down is floor_divide(a, b); a "
    "division "
    "without rounding is a / b."};

/// Warns of comments such as `// 2` behind an expression, where a division that rounds down was meant.
void warn_about_comments(const Tokens& tokens, Diagnostics& diagnostics);

}  // namespace frontend::syntax
