// Fixes of syntax errors in declarations of nets and functions.
#pragma once

#include <string>

#include "frontend/parse/likely_fix.h"

namespace frontend::syntax {

/// Returns the parameter before the error with a type behind its name.
std::string fix_of_parameter(const Place& place);
/// Returns the declaration of `blocks = [Block(8) for i in range(3)]`, where the error is at the `for`; empty
/// where something else is written.
std::string fix_of_array_of_nets(const Place& place);

}  // namespace frontend::syntax
