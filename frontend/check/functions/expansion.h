// Counts the operations of all calls, because a function is expanded at each of its calls.
#pragma once

#include <cstdint>

#include "dlvm/support/diagnostic.h"
#include "frontend/check/checked_module.h"

namespace frontend::check {

/// The limit of the operations that all calls of a module together expand to.
inline constexpr std::uint64_t expansion_limit = 200'000;

/// Operations of a body with every call in it written out; the instances that it calls have theirs. Stays at
/// the largest value where the count is larger.
std::uint64_t expanded_size(const Body& body);

/// Reports where the calls of the program come to more than the limit. Nothing is built to find out.
void check_expansion(const Program& program, dlvm::Diagnostics& diagnostics);

}  // namespace frontend::check
