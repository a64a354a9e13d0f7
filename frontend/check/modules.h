// From a source to the scopes of a program: the file and all that it imports, and the names in each.
#pragma once

#include "dlvm/support/diagnostic.h"
#include "frontend/check/program.h"
#include "frontend/frontend.h"

namespace frontend::check {

/// Parses the module and what it imports; fills `scopes`. False where nothing can be made of the module's
/// text.
bool load(const dlvm::Source& source, dlvm::Sources& sources, const Options& options,
          dlvm::Diagnostics& diagnostics, Program& program);

/// Enters the names of every scope (dimensions with their values, declarations, functions), reports those
/// that are there twice.
void declare_names(Program& program, const Options& options, dlvm::Diagnostics& diagnostics);

/// Warns of names that nothing uses.
void report_unused(const Program& program, dlvm::Diagnostics& diagnostics);

}  // namespace frontend::check
