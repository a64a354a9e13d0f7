#pragma once

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule {

/// A hash of structure, as of a kernel (kernel/ir/hash.h).
std::size_t hash(const Schedule& schedule);

}  // namespace codegen::schedule
