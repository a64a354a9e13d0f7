#pragma once

#include "codegen/schedule/gpu/target.h"
#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule::gpu {

/// Returns a schedule for the target. A variant is a sequence of grids, run one after the other: block
/// loops, in them what a team of threads does for a point of the kernel's outer axes. Chosen from the shape
/// of the stages:
///   - a stage outside of all axes: a thread a point, by tiles in shared memory where some tensors are
///     contiguous along another axis than the rest (transposed_stage.h), or, where the reduced axis is the
///     contiguous one, a team a point;
///   - stages under shared axes (rows): a team a row, whose threads share each stage's points, or its
///     reduction; values that stages hand over are in registers (scalars, and what a thread hands to itself,
///     row_registers.h), shared memory or the workspace; variants by the length of rows where that is a named
///     dimension's (dynamic_rows.h);
///   - a long reduction to few points is two grids: chunks, then their states; so is a product of few tiles
///     with many summed points, which has a variant of one grid for few of them;
///   - a product whose rows are a named dimension has a variant for few rows, of the same bits;
///   - few long rows are grids of their own for each stage, many a block's each (long_rows.h);
///   - a team is a warp where the row's constant extent is small, else a block;
///   - scans and scatters run in order in one thread, over the axes that stores do not mix in many.
/// A kernel of several grids that is small (small_network.h) has a variant of one block as well, where
/// `single_blocks` (single_block.h).
/// Local buffers that need the workspace are in buffers of space `arena`. How an element is
/// reduced depends on constants and the reduced extents alone.
///
/// `tf32`: tensor cores compute float32 products in one tf32 term instead of three, to 10 bits of mantissa.
Schedule schedule_for_gpu(const kernel::Kernel& kernel, const GpuTarget& target, bool tf32 = false,
                          bool single_blocks = true);

}  // namespace codegen::schedule::gpu
