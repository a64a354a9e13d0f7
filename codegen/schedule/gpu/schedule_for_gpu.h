#pragma once

#include "codegen/schedule/gpu/target.h"
#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule::gpu {

/// Returns a schedule for the target. A variant is a sequence of grids that run one after the other: block
/// loops whose bodies are the work of a team of threads for one point of the kernel's outer axes. The shapes
/// of the stages decide:
///   - A stage outside of all axes has one thread for each point. If some tensors are contiguous along
///   another
///     axis than the rest, it goes by tiles in shared memory (transposed_stage.h); if the reduced axis is the
///     contiguous one, each point has a team.
///   - Stages under shared axes (rows) have one team for each row, whose threads share each stage's points or
///     its reduction. Values that stages pass to each other are in registers (scalars, and values that a
///     thread passes to itself, row_registers.h), in shared memory, or in the workspace. Rows whose length is
///     a named dimension have variants by their length (dynamic_rows.h).
///   - A long reduction to few points is two grids, which reduce the chunks and then their states. So is a
///     product of few tiles with many summed points, which has a variant of one grid for few of them.
///   - A product whose number of rows is a named dimension has a variant for few rows, with the same bits.
///   - If there are few long rows, each stage has its own grids; if there are many, a block computes each row
///     (long_rows.h).
///   - A team is a warp if the row's constant extent is small, and otherwise a block.
///   - Scans and scatters run in order in one thread; the axes along which stores are independent are
///     distributed over many threads.
/// With `single_blocks`, a small kernel of several grids (small_network.h) also has a variant that is a
/// single block (single_block.h). Local buffers that need the workspace have the space `arena`. The order in
/// which an element is reduced depends on constants and the reduced extents alone.
///
/// With `tf32`, tensor cores compute float32 products in one tf32 term instead of three, to 10 bits of
/// mantissa.
Schedule schedule_for_gpu(const kernel::Kernel& kernel, const GpuTarget& target, bool tf32 = false,
                          bool single_blocks = true);

}  // namespace codegen::schedule::gpu
