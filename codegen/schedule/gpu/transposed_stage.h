#pragma once

#include <optional>

#include "codegen/schedule/common/lowering.h"

namespace codegen::schedule::gpu {

/// An elementwise stage as a grid of tiles, a block each, where some of what it reads and writes is
/// contiguous along another axis than the rest: that goes through shared memory, into it or out of it along
/// the axis that is contiguous there, while the stage runs along that of the rest. Both go 16 bytes at a time
/// where extents and types allow, else an element a thread. Nothing where there is no such access, where the
/// stage reduces, checks, or runs in order, or where one of the two axes is a small constant.
std::optional<Body> lower_in_tiles(Lowering& lowering, const kernel::Stage& stage);

}  // namespace codegen::schedule::gpu
