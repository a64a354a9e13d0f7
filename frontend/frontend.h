// TEL text to a verified DLVM module.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dlvm/support/diagnostic.h"
#include "dlvm/ir/module.h"
#include "dlvm/support/times.h"

namespace frontend {

struct Options {
  std::vector<std::pair<std::string, std::int64_t>> dimensions;  ///< -D: the named dimension is this constant
  std::vector<std::string> import_folders;  ///< -I: searched after the source's own folder
  dlvm::Times* times = nullptr;             ///< if not null: of the steps `parse`, `check` and `lower`
};

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
