#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "dlvm/support/times.h"

namespace frontend {

/// The choices of a caller about a compilation, beside the source.
struct Options {
  std::vector<std::pair<std::string, std::int64_t>> dimensions;  ///< -D: the named dimension is this constant
  std::vector<std::string> import_folders;  ///< -I: searched after the source's own folder
  /// If not null, records the times of the steps `parse`, `check` and `lower`.
  dlvm::Times* times = nullptr;
};

}  // namespace frontend
