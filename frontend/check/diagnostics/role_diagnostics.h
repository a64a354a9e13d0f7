// Likely mistakes in the roles of declarations.
#pragma once

#include "dlvm/support/diagnostic.h"

namespace frontend::check {

inline constexpr dlvm::DiagnosticKind loss_without_role{
    "TEL-W0516", dlvm::Severity::warning, "'{name}' has not the role loss, and nothing uses it",
    "The entry point `gradient` differentiates the value that has the role loss, loss: loss = ... The name "
    "alone "
    "has no meaning: a value without a role is an intermediate one, which is computed only where another "
    "value "
    "needs it."};

}  // namespace frontend::check
