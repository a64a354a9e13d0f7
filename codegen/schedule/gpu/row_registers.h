#pragma once

#include <set>

#include "codegen/schedule/gpu/lowering.h"
#include "codegen/schedule/gpu/work_distribution.h"

namespace codegen::schedule::gpu {

/// A row that is read once: each thread of the team keeps its own points of what stages hand over, and of
/// what several read, in registers.
struct RowInRegisters {
  kernel::Block block;         ///< the same stages, and before them such as load what they read
  std::set<BufferId> buffers;  ///< in registers: the kernel's own, and new ones
  RowShare share;

  /// Whether the stage works on these registers.
  bool has(const kernel::Stage& stage) const;
};

/// Puts as many buffers of a row's stages as fit into `target.row_registers` into the registers of threads,
/// where a thread is known to have at most `target.max_thread_points` points. How threads share the row
/// follows from that length and types alone. Returns nothing, and changes nothing, where no buffer fits.
/// `next_axis` is the first free id of an axis.
std::optional<RowInRegisters> keep_row_in_registers(GpuLowering& lowering, const kernel::Block& block,
                                                    std::int64_t threads, kernel::AxisId& next_axis);

}  // namespace codegen::schedule::gpu
