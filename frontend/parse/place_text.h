// What is written around a syntax error, for the texts of its fixes.
#pragma once

#include <string>
#include <vector>

#include "dlvm/support/diagnostic.h"
#include "frontend/parse/likely_fix.h"

namespace frontend::syntax {

/// Returns the kind of the token `distance` before `i`; 0 where the declaration starts behind it.
std::size_t kind_before(const Place& place, std::size_t i, std::size_t distance);
/// Returns the first token from `first` on that stands outside all brackets that follow and is a comma, if
/// `at_comma`, or closes a bracket; the end of the declaration where there is none.
std::size_t end_of_part(const Place& place, std::size_t first, bool at_comma);
/// Returns what is written from token `first` to before `last`; "..." where it is long.
std::string text_between(const Place& place, std::size_t first, std::size_t last);
/// Returns what is written between the commas inside the bracket at `opener`.
std::vector<std::string> parts_inside(const Place& place, std::size_t opener);
/// Returns the edit that replaces what is written from token `first` to `last`, which stand in one line.
dlvm::Edit edit_of(const Place& place, std::size_t first, std::size_t last, std::string text);

}  // namespace frontend::syntax
