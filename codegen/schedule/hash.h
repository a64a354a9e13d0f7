#pragma once

#include "codegen/schedule/schedule.h"

namespace codegen::schedule {

/// As of a kernel (kernel/hash.h).
std::size_t hash(const Schedule& schedule);

}  // namespace codegen::schedule
