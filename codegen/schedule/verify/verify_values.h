#pragma once

#include <optional>
#include <string>

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule {

/// Returns the first of the invariants of types and sizes (verify.h) that does not hold, with its place, or
/// nothing. The invariants of names, loops and visibility must hold.
std::optional<std::string> verify_values(const Schedule& schedule);

}  // namespace codegen::schedule
