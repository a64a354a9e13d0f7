#pragma once

#include <optional>

#include "codegen/kernel/ir/kernel.h"

namespace codegen::kernel {

/// Returns a kernel that computes the same in one pass over the columns of its rows, so that no row is kept:
/// the elements of a column are computed by contractions and element by element, and multiplied by other
/// contractions, which sum over the columns. The columns become the axis of a block within the one of the
/// rows, and the last contractions accumulate there. The derivative of attention is of this form, if the
/// elements of its rows are computed again for the queries, and for the keys (repeat_by_rows.h).
///
/// Returns nothing unless
///  - all stages are of one of these kinds: what computes an element for each column stores it in local
///    buffers, and what sums over columns is a contraction that stores to arguments alone;
///  - elements are read at their column, and by no sum that is not over the columns;
///  - contractions add up products of two float32 operands, have a batch, and no masked terms;
///  - there are more than `few_columns` rows or columns, or it is not known how many.
std::optional<Kernel> stream_columns(const Kernel& kernel);

}  // namespace codegen::kernel
