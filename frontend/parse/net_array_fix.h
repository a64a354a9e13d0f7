// Fixes of syntax errors where several instances of a net are declared.
#pragma once

#include <string>

#include "frontend/parse/likely_fix.h"

namespace frontend::syntax {

/// Returns the declaration of an array of nets, where the error is in one that is written as a list, a
/// comprehension or a multiple of an instance: `[Block(8) for i in range(3)]`, `Block(8)[3]`, `3 * Block(8)`.
/// Empty where something else is written.
std::string fix_of_array_of_nets(const Place& place);

}  // namespace frontend::syntax
