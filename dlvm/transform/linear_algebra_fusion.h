#pragma once

#include "dlvm/ir/module.h"

namespace dlvm {

/// The pass LAF. Afterwards no operand of a `dot` is a transposition that its axes can express, and no
/// transposition exchanges the operands of a `dot` that has no other use; a concatenation of products with a
/// shared operand is one product of a concatenation where that moves no more elements; and sums and
/// differences of products of integers with a shared operand are one product. The sums of products have the
/// same terms in the same order, so that all results keep their bits: sums of floating-point products are
/// rounded otherwise and stay.
bool linear_algebra_fusion(Function& function);

}  // namespace dlvm
