#pragma once

#include <string>
#include <vector>

#include "dlvm/analysis/control_flow.h"
#include "dlvm/analysis/loops.h"

/// Changes of a body's blocks that several passes make.
namespace dlvm {

/// Makes a branch of a conditional whose condition is a literal; returns whether the block ended in one.
bool fold_condition(BasicBlock& block);

/// Puts a block on the edges, which all go to `to`: it takes the arguments of `to`, and passes them on. On a
/// single edge it takes none, and passes what the edge passed. It stands behind the block of the first edge.
BasicBlock* insert_block(BasicBlock& to, const std::vector<BlockEdge>& edges, const std::string& name);

/// Returns the only block outside of the loop that goes to its header, if it goes nowhere else; or else null.
BasicBlock* preheader(const Loop& loop);
/// Returns the loop's preheader, which is made if there is none.
BasicBlock* make_preheader(const Loop& loop);

}  // namespace dlvm
