#pragma once

#include <optional>

#include "codegen/schedule/gpu/target.h"
#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule::gpu {

/// The largest number of estimated instructions (size.h) of a kernel that is one block. The time of the
/// assembler grows with the square of a kernel's length, and from some thousand instructions on a single
/// launch gains nothing.
inline constexpr std::int64_t max_block_instructions = 4096;

/// Returns a small network as one launch: a single block runs every stage of the kernel in order, with
/// barriers in between. Values that stages pass to each other are in shared memory, whose size is that with
/// all dimensions at `bound`; the variant's guards keep them there (a kernel without dimensions has no
/// guard).
///   - Threads compute points, and teams compute rows, as they do in grids (thread_stage.h, `TeamBuilder`).
///     Either all warps of the block take rows in turn, or the block computes one row after the other.
///   - A reduction that grids split is split here too, into the same chunks in the same order.
///   - Small products are computed tile by tile (block_product.h), each element in the order of k.
/// So every element is reduced as in the grids for larger dimensions (gpu.h), with the same bits on both
/// sides of the guard. `small_bound` decides which kernels have such a variant, and the bound. Loops are
/// numbered from `first_loop` on. If the stages need more shared memory than `target.default_shared_bytes`,
/// the bound is halved, down to `min_bound`. Returns nothing if that is not enough, or if the block would
/// have more than `max_block_instructions`.
std::optional<Schedule> schedule_as_single_block(const kernel::Kernel& kernel, const GpuTarget& target,
                                                 std::int64_t bound, LoopId first_loop = 0);

}  // namespace codegen::schedule::gpu
