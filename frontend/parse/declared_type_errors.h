// Likely mistakes in the declarations of structs and enums, and in a `match`.
#pragma once

#include <string>

#include "frontend/parse/likely_fix.h"

namespace frontend::syntax {

/// Returns whether the declaration is that of a struct or an enum.
bool is_type_declaration(const Place& place);
/// Returns the fix of a failure in such a declaration, or an empty text.
std::string fix_of_type_declaration(const Place& place);
/// Returns the fix of a failure in a `match`, outside of the blocks of its cases, or an empty text.
std::string fix_of_match(const Place& place);

}  // namespace frontend::syntax
