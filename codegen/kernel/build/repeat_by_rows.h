#pragma once

#include "dlvm/ir/function.h"

namespace codegen::kernel {

/// Lets contractions that sum over the rows of a batch of matrices compute these again, transposed, if others
/// sum over their columns: the elements are computed one by one from products of few terms
/// (max_chained_extent), as those that the derivative of attention multiplies with its queries and with its
/// keys. So each of the two kinds can be a kernel of its own over rows that computes the elements where it
/// needs them. The function has one block. Returns whether it changed. The time is linear in the number of
/// instructions.
bool repeat_by_rows(dlvm::Function& function);

}  // namespace codegen::kernel
