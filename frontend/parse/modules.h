// A module with all that it imports, to abstract syntax.
#pragma once

#include "dlvm/support/diagnostic.h"
#include "frontend/ast/files.h"
#include "frontend/support/options.h"

namespace frontend {

/// Parses the module and the files that it imports, which are added to `sources`. Empty if nothing can be
/// made of the module's text; otherwise what could be read, with errors in `diagnostics` where that is not
/// all.
ast::Files parse_modules(const dlvm::Source& source, dlvm::Sources& sources, const Options& options,
                         dlvm::Diagnostics& diagnostics);

}  // namespace frontend
