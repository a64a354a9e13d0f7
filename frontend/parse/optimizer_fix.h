// Fixes of syntax errors in the declaration of an optimizer.
#pragma once

#include <string>

#include "frontend/parse/likely_fix.h"

namespace frontend::syntax {

/// Returns `optimize with` the optimizer that is named or called behind the word `optimize`, with its
/// arguments.
std::string fix_of_optimize(const Place& place);

}  // namespace frontend::syntax
