// The checked program behind the files of a module.
#pragma once

#include <memory>

#include "dlvm/support/diagnostic.h"
#include "frontend/ast/files.h"
#include "frontend/check/checked_module.h"
#include "frontend/support/options.h"

namespace frontend::check {

/// Checks all that the files declare, of which there is at least one. Returns null after an error, also after
/// one that `diagnostics` had before: then the files are what could be read, and only mistakes are reported
/// that are there whatever else the files say. Warnings alone do no harm.
std::unique_ptr<Program> check_program(ast::Files files, const Options& options,
                                       dlvm::Diagnostics& diagnostics);

}  // namespace frontend::check
