#pragma once

#include <unordered_set>
#include <vector>

#include "frontend/check/checked_module.h"

namespace frontend::check {

/// Returns the declarations that the values depend on, themselves included.
std::unordered_set<const Declaration*> reached(const std::vector<const Declaration*>& values);

/// Returns the next values that can be computed from the inputs that `values` depend on: an entry point that
/// returns `values` computes these too. The order is that of the program.
std::vector<const Declaration*> next_values(const Program& program,
                                            const std::vector<const Declaration*>& values);

}  // namespace frontend::check
