#pragma once

#include <vector>

#include "dlvm/transform/component_body.h"

namespace dlvm {

/// A call between functions whose bodies have been copied into one function (component_body.h).
struct RecursiveCall {
  Instruction* apply;
  const Function* callee;
  BasicBlock *callee_entry, *behind;  ///< the copy of the callee's first block, and the block behind the call
  std::vector<Value*> live;           ///< the values that live across the call
  Value* stack = nullptr;             ///< where they are kept meanwhile; null if there are none
  std::vector<Value*> popped;         ///< what the block behind the call has in their place
};

/// Returns the calls, in the order of the function.
std::vector<RecursiveCall> find_recursive_calls(const Function& function, const ComponentBody& body);

/// Returns whether a block takes a value with components where calls or returns pass its leaves.
bool take_components(const std::vector<RecursiveCall>& calls);

/// Uses what the first block of the function passes to `root`, the copy of the first block of the function
/// that is called from outside, in the place of parameters that every call passes on unchanged, such as the
/// weights of a network: they are the same in all calls, and need not be kept across one.
void share_unchanged_parameters(const BasicBlock& root, const std::vector<RecursiveCall>& calls);

/// Finds the values that live across each call, without those of the first block, which is run once. Returns
/// false if one of them can not be kept in a stack. A stack that the caller has made can be kept if the
/// function makes no more of them.
bool find_live_values(const Function& function, std::vector<RecursiveCall>& calls);

/// Gives each use of a value that lives across calls what the block behind the last one has popped.
void rename_live_values(const Function& function, const std::vector<RecursiveCall>& calls);

}  // namespace dlvm
