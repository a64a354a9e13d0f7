#pragma once

#include "codegen/kernel/ir/program.h"

namespace codegen::kernel {

/// Makes values one where that saves a swap or a copy: two values that a swap exchanges, or of which a launch
/// copies one to the other, and that no path needs at the same time. A launch that reads one and writes the
/// other then updates it in place. So a loop that adds to a value, such as a cotangent, keeps it once, and in
/// the memory of the output where it ends.
void coalesce(Program& program);

}  // namespace codegen::kernel
