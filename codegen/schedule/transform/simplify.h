#pragma once

#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule {

/// Afterwards no serial, unrolled or vector loop has a constant single trip, no loop counts trips that its
/// bounds always leave out, and no bound is left that always holds.
void simplify(Schedule& schedule);

}  // namespace codegen::schedule
