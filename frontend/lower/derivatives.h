// Derivatives that are not known or are zero, in the words of the program.
#pragma once

#include "dlvm/support/diagnostic.h"
#include "frontend/check/program.h"

namespace frontend::lower {

/// Reports them for the gradient declaration of an entry point; `entry.wrt` are its arguments in order.
/// Arguments with the same cause share a message.
void report_derivatives(const check::Entry& entry, const dlvm::GradientDeclaration& declaration,
                        dlvm::Diagnostics& diagnostics);

}  // namespace frontend::lower
