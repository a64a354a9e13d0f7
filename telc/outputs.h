#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dlvm/support/source.h"

namespace telc {

struct Output {
  const char* option;  ///< the option as the user wrote it: `-o`
  std::string file;
};

/// Returns why outputs would overwrite each other or one of the files read, or nothing if they would not.
std::optional<std::string> collision(const std::vector<Output>& outputs,
                                     const std::vector<std::string>& read);
/// Returns the names of the files that were read as text.
std::vector<std::string> names_of(const dlvm::Sources& sources);

}  // namespace telc
