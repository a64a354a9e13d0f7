// Compiles TEL text to a verified DLVM module.
#pragma once

#include <memory>

#include "dlvm/ir/module.h"
#include "dlvm/support/diagnostic.h"
#include "frontend/support/options.h"

namespace frontend {

/// Parses, checks and lowers a module of stage raw, which has a function for each entry point, `tensors` and
/// `entries`. Returns null after reporting an error. Imported files are added to `sources`, which must
/// outlive the result. The function never throws, and several threads may call it with sources of their own.
std::unique_ptr<dlvm::Module> compile(const dlvm::Source& source, dlvm::Sources& sources,
                                      const Options& options, dlvm::Diagnostics& diagnostics);

/// Reports the messages of `compile` without making a module. A file of functions, dimensions and constants,
/// which others import, has no error either. Returns false after an error.
bool check_only(const dlvm::Source& source, dlvm::Sources& sources, const Options& options,
                dlvm::Diagnostics& diagnostics);

}  // namespace frontend
