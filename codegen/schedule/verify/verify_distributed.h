#pragma once

#include <optional>
#include <string>

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule {

/// Returns the first violated invariant of distributed tiles (the list in verify.cpp), with its place: "O1:
/// tile". The other invariants must hold.
std::optional<std::string> verify_distributed(const Schedule& schedule);

}  // namespace codegen::schedule
