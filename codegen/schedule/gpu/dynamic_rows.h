#pragma once

#include "codegen/schedule/gpu/lowering.h"

namespace codegen::schedule::gpu {

/// Rows whose length is a named dimension's, known when a call is made. A kernel that is all such rows has
/// variants by their length:
///   - up to `short_row` elements: a row is a warp's, its elements in registers (row_registers.h);
///   - from `long_row` on: reductions are split (long_rows.h);
///   - else a row is a block's, element by element.
/// How a row is reduced depends on its length alone.
inline constexpr std::int64_t short_row = 1024, long_row = 16384;

/// Returns the length of the rows that all stages of the kernel reduce, where it is no constant.
std::optional<Extent> dynamic_row_length(const kernel::Kernel& kernel, Buffers buffers);

/// Return what is known of an extent in a variant for rows of that length: its upper bound, if it has one,
/// and its lower bound.
std::optional<std::int64_t> max_points(const std::optional<DynamicRowLength>& row, const Extent& extent);
std::int64_t min_points(const std::optional<DynamicRowLength>& row, const Extent& extent);
/// Return the same of a row of the block, which has the points of its longest stage.
std::optional<std::int64_t> max_points(const std::optional<DynamicRowLength>& row,
                                       const kernel::Block& block);
std::int64_t min_points(const std::optional<DynamicRowLength>& row, const kernel::Block& block);

}  // namespace codegen::schedule::gpu
