// TEL text to a verified DLVM module.
#pragma once

#include <memory>

#include "dlvm/ir/module.h"
#include "dlvm/support/diagnostic.h"
#include "frontend/support/options.h"

namespace frontend {

/// Parses, checks and lowers a module: a function for each entry point, `tensors` and `entries` filled, stage
/// raw. Null after an error, which `diagnostics` holds. Imported files are added to `sources`, which must
/// outlive the result. Throws nothing; safe to call from several threads with sources of their own.
std::unique_ptr<dlvm::Module> compile(const dlvm::Source& source, dlvm::Sources& sources,
                                      const Options& options, dlvm::Diagnostics& diagnostics);

/// The same messages; a file of functions, dimensions and constants, which others import, is right as well.
/// False after an error.
bool check_only(const dlvm::Source& source, dlvm::Sources& sources, const Options& options,
                dlvm::Diagnostics& diagnostics);

}  // namespace frontend
