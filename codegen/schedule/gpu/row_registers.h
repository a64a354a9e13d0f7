#pragma once

#include <set>

#include "codegen/schedule/gpu/lowering.h"
#include "codegen/schedule/gpu/work_distribution.h"

namespace codegen::schedule::gpu {

/// A row that is read once: each thread of the team keeps its own points of the values that stages pass to
/// each other, and of those that several stages read, in registers.
struct RowInRegisters {
  kernel::Block block;         ///< the same stages, after stages that load the values that they read
  std::set<BufferId> buffers;  ///< the buffers in registers: some of the kernel's own, and new ones
  RowShare share;

  /// Returns whether the stage reads or writes these registers.
  bool has(const kernel::Stage& stage) const;
};

/// Puts as many buffers of a row's stages as fit into `target.row_registers` into the registers of threads,
/// if a thread is known to have at most `target.max_thread_points` points. The way in which threads share the
/// row depends on its length and types alone. Returns nothing, and changes nothing, if no buffer fits.
/// `next_axis` is the first free id of an axis.
std::optional<RowInRegisters> keep_row_in_registers(GpuLowering& lowering, const kernel::Block& block,
                                                    std::int64_t threads, kernel::AxisId& next_axis);

}  // namespace codegen::schedule::gpu
