#pragma once

#include <vector>

#include "dlvm/analysis/control_flow.h"

namespace dlvm {

/// Adds a block that takes the number of one of `targets` and the arguments of all, and goes on to that one.
/// The edges, each of which goes to a target, go to this block instead; what they do not pass is zero.
/// Returns the block.
BasicBlock* add_dispatch(Function& function, const std::vector<BasicBlock*>& targets,
                         const std::vector<BlockEdge>& edges);

}  // namespace dlvm
