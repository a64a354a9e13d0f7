// Fixes of syntax errors where a declaration is written as statements of other languages are.
#pragma once

#include <string>
#include <vector>

#include "frontend/parse/likely_fix.h"

namespace frontend::syntax {

/// Returns what stands in the place of `y += 1`, `L.backward()`, `(float) n`, `x = in[N]`, `nn::relu(x)` and
/// the like; empty if the error is none of these.
std::string fix_of_habit(const Place& place);
/// Returns the fix of `(a, b) = f(x)` in the line of the error.
std::string fix_of_results(const Place& place);
/// Returns `x: in` for `x in[N]` and for `float x[N]`, of which the first token is given, and with which no
/// declaration begins; empty if it is something else.
std::string fix_of_first_words(const std::vector<Token>& code, std::size_t first);

}  // namespace frontend::syntax
