#pragma once

#include <optional>

#include "codegen/schedule/gpu/target.h"
#include "codegen/schedule/ir/schedule.h"

namespace codegen::schedule::gpu {

/// The estimated instructions (size.h) of a kernel that is one block. The time of the assembler grows with
/// the square of a kernel's length, and from some thousand instructions on a launch gains nothing.
inline constexpr std::int64_t max_block_instructions = 4096;

/// Returns a small network as one launch: one block that runs every stage of the kernel in turn, with
/// barriers between; what stages hand over is in shared memory, as large as it is with all dimensions at
/// `bound`, which the variant's guards hold them to (a kernel without dimensions has no guard).
///   - A thread takes a point, or a team its rows, just as in grids (thread_stage.h, `TeamBuilder`);
///     eight warps take rows in turn, or the block takes one after the other.
///   - A reduction that grids split is split here too: the same chunks in the same order.
///   - Small products go tile by tile (block_product.h), each element in the order of k.
/// So every element is reduced as in the grids that larger dimensions get (gpu.h): the same bits on both
/// sides of the guard. What may be in such a kernel, and the bound, `small_bound` decides. Its loops are
/// numbered from `first_loop` on. Where the stages need more shared memory than
/// `target.default_shared_bytes`, the bound is halved, down to 4; then there is no such schedule. Neither is
/// there one above `max_block_instructions`.
std::optional<Schedule> schedule_as_single_block(const kernel::Kernel& kernel, const GpuTarget& target,
                                                 std::int64_t bound, LoopId first_loop = 0);

}  // namespace codegen::schedule::gpu
