#pragma once

#include <unordered_map>
#include <vector>

#include "dlvm/ir/builder.h"

namespace dlvm {

/// A straight-line body built again at the end of a block, on other arguments, its dimensions replaced.
struct BodyCopy {
  std::vector<Instruction*> instructions;  ///< without the terminator
  std::unordered_map<const Value*, Value*> values;
  Value* result = nullptr;  ///< null if the function returns nothing

  /// Returns the copy of a value of the function. A literal is copied when it is first asked for.
  Value* at(const Value* value, Function& into, const Extent::Substitution& names);
};
/// Builds the body of `function` at the end of the builder's block.
BodyCopy copy_body(Builder& builder, const Function& function, const std::vector<Value*>& arguments,
                   const Extent::Substitution& names);

/// Builds the body of `from` in `to`, which has none, its dimensions replaced; the type of `to` is that of
/// `from` with the dimensions replaced.
void copy_blocks(Function& to, const Function& from, const Extent::Substitution& names);

/// Adds to `to` the requirements of `from` that it lacks, with dimensions replaced.
void copy_requirements(Function& to, const Function& from, const Extent::Substitution& names);

/// Removes instructions whose results nothing uses and that cannot fail, last first.
void remove_unused(BasicBlock& block);

}  // namespace dlvm
