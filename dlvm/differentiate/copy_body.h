#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "dlvm/ir/builder.h"

namespace dlvm {

/// A body built again inside of another function, on other arguments, its dimensions replaced.
struct BodyCopy {
  /// The builder's block, into which the entry went, then the others, without those that are not reached.
  std::vector<BasicBlock*> blocks;
  std::size_t instructions_before = 0;  ///< how many the builder's block had before
  /// The block that ended in `return`, without it; null if the function does not return.
  BasicBlock* exit = nullptr;
  Value* result = nullptr;  ///< what was returned; null if that was nothing
};

/// Builds the body of `function`, which has at most one reachable `return`, at the end of the builder's block
/// and in new blocks.
BodyCopy copy_body(Builder& builder, const Function& function, const std::vector<Value*>& arguments,
                   const Extent::Substitution& names);

/// Returns the names of the function's arguments; nothing for one without a body.
std::vector<std::string> argument_names(const Function& function);

/// Removes instructions whose results nothing uses and that cannot fail, last first.
void remove_unused(BasicBlock& block);
/// Does so in all blocks, last first.
void remove_unused(Function& function);

}  // namespace dlvm
