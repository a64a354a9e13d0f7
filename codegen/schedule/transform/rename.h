#pragma once

#include "codegen/schedule/ir/index.h"

namespace codegen::schedule {

/// The statements once more, with loops and values of their own from these numbers on.
Body copy_of(const Body& body, Renaming renaming, LoopId& next_loop, ValueId& next_value);

}  // namespace codegen::schedule
