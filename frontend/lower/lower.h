// A checked program to a DLVM module.
#pragma once

#include <memory>

#include "dlvm/support/diagnostic.h"
#include "dlvm/ir/module.h"
#include "frontend/check/program.h"

namespace frontend::lower {

/// A function for each entry point, for each function of the program that one calls (one an instance), and
/// for each initializer; stored tensors and entry points described. Stage raw. Warns where a module without a
/// loss has no known derivative.
std::unique_ptr<dlvm::Module> lower(const check::Program& program, dlvm::Diagnostics& diagnostics);

/// The same messages without a module: only what is differentiated is made.
void check_derivatives(const check::Program& program, dlvm::Diagnostics& diagnostics);

}  // namespace frontend::lower
