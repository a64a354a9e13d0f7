#pragma once

#include "codegen/schedule/common/lowering.h"

namespace codegen::schedule::gpu {

/// Rows whose length is a named dimension's, known when a call is made. A kernel that is all such rows has
/// variants by their length:
///   - up to `short_row` elements: a row is a warp's, its elements in registers (row_registers.h);
///   - from `long_row` on: reductions are split (long_rows.h);
///   - else a row is a block's, element by element.
/// How a row is reduced depends on its length alone.
inline constexpr std::int64_t short_row = 1024, long_row = 16384;

/// The length of the rows that all stages of the kernel reduce, where it is no constant.
std::optional<Extent> dynamic_row_length(const Lowering& lowering);

/// What is known of an extent: at most, if anything, and at least.
std::optional<std::int64_t> most_points(const Lowering& lowering, const Extent& extent);
std::int64_t least_points(const Lowering& lowering, const Extent& extent);

}  // namespace codegen::schedule::gpu
