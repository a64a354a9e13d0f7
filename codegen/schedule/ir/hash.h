#pragma once

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule {

/// Returns a hash of the schedule's structure (kernel/ir/hash.h).
std::size_t hash(const Schedule& schedule);

}  // namespace codegen::schedule
