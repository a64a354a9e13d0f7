#pragma once

#include <string>

#include "frontend/parse/likely_fix.h"

namespace frontend::syntax {

/// Returns whether the failure stands in the body of a function.
bool in_block(const Place& place);
/// Returns what may stand at the end of an operand there: "an operator, the next statement or '}'".
std::string after_operand_in_block(const Place& place);
/// Returns the fix of a mistake in a statement, or nothing if none is likely.
std::string fix_of_statement(const Place& place);

}  // namespace frontend::syntax
