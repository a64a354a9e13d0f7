#pragma once

#include "codegen/schedule/lower_stage.h"

namespace codegen::schedule {

/// Whether the stage is computed as products of tiles by blocks of threads. From its constant extents alone,
/// the summed one first.
bool is_tiled_for_threads(const kernel::Stage& stage);

/// The stage as a grid of its own: a block a tile of the result; k goes by in steps, at each of which the
/// threads evaluate the operands into shared memory, zeros beyond their ends, and then multiply, each its own
/// register tile. Each element is one chain of fused multiply-adds in the order of k.
Body lower_contraction_as_grid(Lowering& lowering, const kernel::Stage& stage);

}  // namespace codegen::schedule
