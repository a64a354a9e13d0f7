// `telc fmt`: a module in the canonical layout.
#pragma once

#include <optional>
#include <string>

#include "dlvm/support/diagnostic.h"

namespace frontend {

/// The module with its layout made canonical: white space between tokens, one declaration a line, roles and
/// `=` of neighbouring declarations below each other, at most one blank line in a row. Tokens, comments, and
/// the line breaks inside a declaration are the source's own; formatting twice changes nothing more. Nothing,
/// with errors reported, where the source does not parse.
std::optional<std::string> format(const dlvm::Source& source, dlvm::Diagnostics& diagnostics);

}  // namespace frontend
