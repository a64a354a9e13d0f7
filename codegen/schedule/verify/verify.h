#pragma once

#include <optional>
#include <string>

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule {

/// Returns the first invariant that does not hold, in words, or nothing if all hold. verify.cpp begins with
/// the list of invariants. A violation is a mistake of the compiler.
std::optional<std::string> verify(const Schedule& schedule);

}  // namespace codegen::schedule
