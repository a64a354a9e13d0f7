#pragma once

#include "dlvm/support/diagnostic.h"
#include "frontend/check/checked_module.h"
#include "frontend/support/options.h"

/// The names of each file of a program.
namespace frontend::check {

/// Enters the names of every scope (dimensions with their values, declarations, functions) and reports
/// those that are there twice.
void declare_names(Program& program, const Options& options, dlvm::Diagnostics& diagnostics);

/// Warns of names that nothing uses.
void report_unused(const Program& program, dlvm::Diagnostics& diagnostics);

}  // namespace frontend::check
