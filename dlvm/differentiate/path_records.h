#pragma once

#include <vector>

#include "dlvm/analysis/loops.h"

/// The records that a body makes of the path on which it ran, so that its adjoint goes back on the same path.
namespace dlvm {

/// Returns the blocks from which the exit is reached, in order. What does not reach it is never run
/// backwards.
std::vector<BasicBlock*> reaching_blocks(const ControlFlow& flow, BasicBlock& exit);

/// Returns an argument of the loop's header that counts its iterations: one that does so already, or a new
/// one.
Argument* round_count(const Loop& loop, const ControlFlow& flow);

/// Returns an argument of the block that tells from which predecessor it was run: one that does so already,
/// or a new one.
Argument* predecessor_tag(const ControlFlow& flow, BasicBlock& block);

}  // namespace dlvm
