// Fixes of syntax errors in declarations of functions.
#pragma once

#include <string>

#include "frontend/parse/likely_fix.h"

namespace frontend::syntax {

/// Returns the parameter before the error with a type behind its name.
std::string fix_of_parameter(const Place& place);

}  // namespace frontend::syntax
