#pragma once

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule {

/// Simplifies loops. Afterwards no serial, unrolled or vector loop has exactly one iteration, no loop has
/// iterations that its bounds always skip, and no bound remains that always holds.
void simplify(Schedule& schedule);

}  // namespace codegen::schedule
