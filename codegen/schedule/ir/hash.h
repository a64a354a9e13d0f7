#pragma once

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule {

/// As of a kernel (kernel/hash.h).
std::size_t hash(const Schedule& schedule);

}  // namespace codegen::schedule
