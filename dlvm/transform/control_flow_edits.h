#pragma once

#include <string>
#include <vector>

#include "dlvm/analysis/control_flow.h"
#include "dlvm/analysis/loops.h"

/// Changes of a body's blocks that several passes make.
namespace dlvm {

/// Makes a branch of a conditional whose condition is a literal; returns whether the block ended in one.
bool fold_condition(BasicBlock& block);

/// Returns whether the block, which is not the entry, does nothing but go on to another with what it has.
bool is_forwarding(const BasicBlock& block);
/// Returns what the edge's block, which is forwarding, passes on for this edge.
std::vector<Value*> passed_behind(const BlockEdge& edge);
/// Lets the edge go where its block, which is forwarding, goes on to.
void skip_block(const BlockEdge& edge);

/// Puts a block on the edges, which all go to `to`: it takes the arguments of `to`, and passes them on. It
/// stands behind the block of the last edge.
BasicBlock* insert_block(BasicBlock& to, const std::vector<BlockEdge>& edges, const std::string& name);

/// Puts a block without arguments on the edge, whose terminator does not supply them; it passes what the edge
/// passed.
BasicBlock* split_edge(const BlockEdge& edge, const std::string& name);

/// Removes the arguments of blocks that only one edge goes to, and uses what the edge passes; returns whether
/// there were any. A case of a `branchEnum` keeps its payload.
bool forward_arguments(Function& function);

/// Returns the only block outside of the loop that goes to its header, if it goes nowhere else; or else null.
BasicBlock* preheader(const Loop& loop);
/// Returns the loop's preheader, which is made if there is none.
BasicBlock* make_preheader(const Loop& loop);

}  // namespace dlvm
