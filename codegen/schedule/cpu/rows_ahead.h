#pragma once

#include <optional>
#include <vector>

#include "codegen/schedule/cpu/lowering.h"

namespace codegen::schedule::cpu {

/// Rows of memory that one stage of a block fetches while it computes. Where a row follows another in memory,
/// the processor fetches ahead by itself, but only a few lines, and it waits while a stage reads or writes
/// more memory than it computes. So the stage that computes most fetches for the others.
struct RowsAhead {
  std::size_t stage = 0;     ///< the position of the stage that fetches among the block's children
  kernel::AxisId along = 0;  ///< its axis along the rows
  /// The elements to fetch at each of its points: of the same point of the block if they are first accessed
  /// by a later stage, else of the next point.
  std::vector<Prefetch> rows;
};

/// Returns the rows of the kernel's arguments that the stages of the block access, one after the other,
/// contiguously and without gaps, if they are long enough for that to pay, and fit the caches together.
std::optional<RowsAhead> choose_rows_ahead(const CpuLowering& lowering, const kernel::Block& block);

}  // namespace codegen::schedule::cpu
