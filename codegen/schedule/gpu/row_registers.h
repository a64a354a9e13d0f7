#pragma once

#include <set>

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

/// Of stages of a row, of which a thread is known to have at most 32 points: it keeps as many buffers as fit
/// into 96 registers. How it shares the row follows from that length and types alone. Nothing
/// where no buffer can be kept. Makes the buffers those of registers; `next_axis` is the first free id of an
/// axis.
std::optional<RowInRegisters> keep_row_in_registers(Lowering& lowering, const kernel::Block& block,
                                                    std::int64_t threads, kernel::AxisId& next_axis);

}  // namespace codegen::schedule::gpu
