// Fixes for lines that assign to a name again, `x += 1`, and for functions without a name, `lambda a: a + 1`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/parse/token.h"

namespace frontend::syntax {

/// Returns whether a state of that name is declared anywhere in the text, and no variable.
bool declares_state(const std::vector<Token>& code, std::string_view name);

/// Returns `x + 1` for the line `x += 1` around the token at `position`, and for `x++`; empty if it is
/// another line.
std::string updated_value(const std::vector<Token>& code, std::size_t position);

/// Returns the advice to give such a value a name of its own; empty if it is another line.
std::string fix_of_update(const std::vector<Token>& code, std::size_t position);

/// Returns the function with a name for the `lambda` in the line of the token at `position`; empty if there
/// is none.
std::string fix_of_lambda(const std::vector<Token>& code, std::size_t position);

}  // namespace frontend::syntax
