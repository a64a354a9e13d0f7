#pragma once

#include "dlvm/ir/function.h"

namespace codegen::kernel {

/// Gives contractions that sum over the rows of a matrix a transposed copy of it, if others sum over its
/// columns. The elements of the matrix are computed one by one from products of few terms
/// (max_chained_extent), as those that the derivative of attention multiplies with its queries and with its
/// keys, and the copy is computed from products with exchanged operands. So each of the two kinds can be a
/// kernel over rows of its own that computes the elements where it needs them. The function has one block.
/// Returns whether it changed. The time is linear in the number of instructions.
bool repeat_by_rows(dlvm::Function& function);

}  // namespace codegen::kernel
