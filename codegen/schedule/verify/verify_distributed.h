#pragma once

#include <optional>
#include <string>

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule {

/// The first of the invariants of distributed tiles (verify.h) that does not hold, with its place: "O1:
/// tile". All others hold.
std::optional<std::string> verify_distributed(const Schedule& schedule);

}  // namespace codegen::schedule
