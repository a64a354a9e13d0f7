#pragma once

#include <vector>

#include "codegen/kernel/build/fuse.h"

namespace codegen::kernel {

/// Returns an order of the nodes in which they can be computed, as positions in `nodes`, which are in such an
/// order. Where rows that are computed from a contraction are read by another one, as in attention, what the
/// later one needs besides, and what does not depend on the earlier one, is computed before the earlier one;
/// likewise for the contractions that give the earlier one its rows. Then nothing stands between contractions
/// that can share a kernel. With `ProductChains::online`, contractions that have rows of the same ones come
/// one after the other, too. All else keeps its order. With `ProductChains::online`, these are contractions
/// of a batch: others are in no such kernel.
std::vector<std::size_t> order_operands(const std::vector<Node>& nodes, ProductChains which);

}  // namespace codegen::kernel
