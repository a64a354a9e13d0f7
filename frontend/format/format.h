// The canonical layout of modules, which `telc fmt` prints.
#pragma once

#include <optional>
#include <string>

#include "dlvm/support/diagnostic.h"

namespace frontend {

/// Returns the module in its canonical layout: white space between tokens, one declaration a line, roles and
/// `=` of neighbouring declarations below each other, at most one blank line in a row. Tokens, comments, and
/// the line breaks inside a declaration are the source's own, and formatting twice changes nothing more.
/// Returns nothing, with errors reported, if the source does not parse.
std::optional<std::string> format(const dlvm::Source& source, dlvm::Diagnostics& diagnostics);

}  // namespace frontend
