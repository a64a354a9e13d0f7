// The mistakes with the files that a module imports.
#pragma once

#include "dlvm/support/diagnostic.h"

namespace frontend::syntax {

using dlvm::DiagnosticKind;
using enum dlvm::Severity;  // error, warning

inline constexpr DiagnosticKind import_not_found{
    "TEL-E0211", error, "there is no module '{name}' to import",
    "An import gives the name of a file without .tel. It is looked for in the folder of the importing "
    "file, in the folders given with -I, and in the standard library."};
inline constexpr DiagnosticKind import_cycle{
    "TEL-E0212", error, "files import each other: {names}",
    "A file cannot import itself through others. Move what both need into a third file."};

}  // namespace frontend::syntax
