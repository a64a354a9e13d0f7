#pragma once

#include "codegen/schedule/gpu/lowering.h"

namespace codegen::schedule::gpu {

/// Rows whose length is a named dimension, which is known only when a call is made. A kernel that consists of
/// such rows has variants by their length:
///   - up to `short_row` elements, a warp computes a row and keeps its elements in registers
///   (row_registers.h);
///   - from `long_row` on, reductions are split (long_rows.h);
///   - in between, a block computes a row, element by element.
/// The order of a row's reduction depends on its length alone.
inline constexpr std::int64_t short_row = 1024, long_row = 16384;

/// Returns the length of the rows that all stages of the kernel reduce, if it is not constant.
std::optional<Extent> dynamic_row_length(const kernel::Kernel& kernel, Buffers buffers);

/// Return the upper bound of an extent in a variant for rows of that length, if it has one, and its lower
/// bound.
std::optional<std::int64_t> max_points(const std::optional<DynamicRowLength>& row, const Extent& extent);
std::int64_t min_points(const std::optional<DynamicRowLength>& row, const Extent& extent);
/// Return the same bounds for a row of the block, which has as many points as its longest stage.
std::optional<std::int64_t> max_points(const std::optional<DynamicRowLength>& row,
                                       const kernel::Block& block);
std::int64_t min_points(const std::optional<DynamicRowLength>& row, const kernel::Block& block);

}  // namespace codegen::schedule::gpu
