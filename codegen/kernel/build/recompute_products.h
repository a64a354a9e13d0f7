#pragma once

#include <memory>

#include "codegen/kernel/build/fuse.h"
#include "dlvm/ir/function.h"

namespace codegen::kernel {

/// Returns a copy of the function, which has one block, in which late users compute values again that are
/// computed element by element from a batch of products of few terms, such as the scores of attention; null
/// if there are no such users. A user is late if it depends on the first contraction of these values, or on a
/// later one, as adjoints do: they would be kept meanwhile. The time is linear in the number of instructions,
/// but for products that share an operand.
///
/// It pays where kernels have the products as stages among others (rule 3 of fuse.h), so that the values are
/// in no memory. With `ProductChains::all`, the same instructions compute them again, so the results have the
/// same bits. With `ProductChains::online`, kernels have no whole rows: sums over these are taken from
/// other products where that is possible (dlvm/transform/contraction_reuse.h), and contractions over the rows
/// have values of their own (repeat_by_rows.h). Then they are rounded at other places.
std::unique_ptr<dlvm::Function> recompute_products(const dlvm::Function& function, ProductChains which);

/// Returns whether the instruction is a contraction of a batch, of few terms, with rows and columns.
bool has_few_terms(const dlvm::Instruction& instruction);
/// Returns whether the instruction computes one element of each element of `of`.
bool is_elementwise(const dlvm::Instruction& instruction, const dlvm::Instruction& of);

}  // namespace codegen::kernel
