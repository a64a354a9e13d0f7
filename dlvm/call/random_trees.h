#pragma once

#include "dlvm/call/random_inputs.h"

namespace dlvm {

/// Draws, for each enum that holds itself among the inputs of an entry point, what `given` lacks of its
/// cases, of the nodes that nodes hold, and of the root: `t.kind`, `t.node_0`, `t.root`. Every node stands
/// behind those that it holds, the root of a single tree is the last node, and that holds others if some case
/// does. Gives the dimensions of the tables their numbers: where nothing gives the number of nodes, it is
/// `extent`, to which one is added. Payloads are left to be drawn as other inputs are.
void draw_trees(const EntryPoint& entry, const Function& function, EntryInputs& given, std::int64_t& extent,
                Draw& draw);

}  // namespace dlvm
