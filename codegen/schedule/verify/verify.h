#pragma once

#include <optional>
#include <string>

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule {

/// The first invariant that does not hold, in words; nothing where all do. The invariants stand at the head
/// of verify.cpp. A violation is a mistake of the compiler.
std::optional<std::string> verify(const Schedule& schedule);

}  // namespace codegen::schedule
