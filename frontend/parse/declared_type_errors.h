// Likely mistakes in the declarations of structs and enums, and in a `match`.
#pragma once

#include <cstdint>
#include <string>

#include "frontend/parse/likely_fix.h"

namespace frontend::syntax {

/// Returns whether the declaration is that of a struct or an enum.
bool is_type_declaration(const Place& place);
/// Returns the fix of a failure in such a declaration, or an empty text.
std::string fix_of_type_declaration(const Place& place);
/// Where a failure stands in a `match` that is an expression: in the value that it takes apart, or in its
/// cases.
enum class MatchPart : std::uint8_t { none, value, cases };
/// Returns in which part of the innermost one it is.
MatchPart part_of_match(const Place& place);
/// Returns the fix of a failure in a `match`, outside of the blocks of its cases, or an empty text.
std::string fix_of_match(const Place& place);

}  // namespace frontend::syntax
