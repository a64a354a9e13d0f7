#pragma once

#include "codegen/schedule/ir/index.h"

namespace codegen::schedule {

/// Returns a copy of the statements with new loops and values, numbered from `next_loop` and `next_value` on.
Body copy_of(const Body& body, Renaming renaming, LoopId& next_loop, ValueId& next_value);

}  // namespace codegen::schedule
