#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// The pass MMR. Afterwards each chain of matrix products is multiplied in the order that takes the fewest
/// multiplications of elements. A chain is one of `dot` instructions of one block that contract the last axis
/// of the left operand with the first of the right one, where nothing but the next product uses a product.
/// Of a chain of more than 64 operands, parts of as many are. The operands keep their order. Where extents
/// are symbolic, an order is taken if its cost is provably no higher for all extents. Floating-point results
/// are rounded at other places; integers, which wrap, keep their bits.
bool matrix_multiplication_reordering(Function& function);

}  // namespace dlvm
