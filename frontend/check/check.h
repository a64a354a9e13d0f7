// The checked program behind a source.
#pragma once

#include <memory>

#include "dlvm/support/diagnostic.h"
#include "frontend/check/program.h"
#include "frontend/frontend.h"

namespace frontend::check {

/// Reads the module and its imports and checks all that they declare. Null after an error; warnings alone do
/// no harm.
std::unique_ptr<Program> check_program(const dlvm::Source& source, dlvm::Sources& sources,
                                       const Options& options, dlvm::Diagnostics& diagnostics);

}  // namespace frontend::check
