#pragma once

#include "codegen/schedule/common/lowering.h"

namespace codegen::schedule {

/// A loop with a fresh variable.
Loop new_loop(Lowering& lowering, std::string name, LoopKind kind, Extent extent, std::int64_t step = 1);

/// The loop, alone, with that body.
Body around(Loop loop, Body body);
void append(Body& to, Body from);

Origin origin(const kernel::Stage& stage);

}  // namespace codegen::schedule
