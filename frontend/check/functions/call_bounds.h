#pragma once

#include <string_view>

#include "frontend/check/checked_module.h"

namespace frontend::check {

/// Returns whether the name is one that code generation may give a bound which callers pass:
/// `FUNCTION_depth`, `FUNCTION_steps`, `FUNCTION_nodes` or `FUNCTION_values`, for an entry point, a function
/// of the program, or what lowering makes of one of these for derivatives.
bool is_call_bound(const Program& program, std::string_view name);

}  // namespace frontend::check
