#pragma once

#include <optional>

#include "codegen/schedule/lower/lowering.h"

namespace codegen::schedule {

/// An elementwise stage as a grid of square tiles, a block each, where it reads tensors along an axis that is
/// not the one that it writes along: these come into shared memory along the axis that is contiguous there,
/// then the stage runs along the axis that is contiguous in what it stores. Both go 16 bytes at a time where
/// extents and types allow, else an element a thread. Nothing where no load gains by it: the stage reduces,
/// checks, or runs in order, or one of the two axes is a small constant.
std::optional<Body> lower_in_tiles(Lowering& lowering, const kernel::Stage& stage);

}  // namespace codegen::schedule
