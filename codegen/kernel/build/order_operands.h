#pragma once

#include <vector>

#include "codegen/kernel/build/fuse.h"

namespace codegen::kernel {

/// Returns an order of the nodes in which they can be computed, as positions in `nodes`, which are in such an
/// order: where rows that are computed from a contraction are multiplied with another operand, as in
/// attention, that operand is computed before this contraction if it does not depend on it, and likewise
/// before those that gave the rows of that one. Then nothing stands between contractions that can share a
/// kernel. All else keeps its order.
std::vector<std::size_t> order_operands(const std::vector<Node>& nodes);

}  // namespace codegen::kernel
