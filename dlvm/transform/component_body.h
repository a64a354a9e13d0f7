#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "dlvm/analysis/call_graph.h"

namespace dlvm {

/// Copies the blocks of functions that call each other into one function. A block ends behind each call of
/// one of them, in a branch to a block that takes the result and holds what followed.
class ComponentBody {
 public:
  ComponentBody(const Component& component, Function& into) : component_(component), into_(into) {}

  /// Copies what `root` reaches. Returns false if a function has no body or has requirements, or is called
  /// with other extents at different places.
  bool copy(const Function& root);

  bool is_recursive_call(const Instruction& instruction) const;
  /// Returns the functions that were copied, `root` first.
  const std::vector<const Function*>& functions() const { return functions_; }
  /// Returns the copy of a function's first block.
  BasicBlock* entry(const Function* function) const { return entries_.at(function); }
  /// Returns the function that the block is a copy of; null if there is none.
  const Function* owner(const BasicBlock* block) const;

 private:
  void add_blocks(const Function& function);
  bool find_callees(const Function& function, std::vector<const Function*>& open);
  bool find_callee(const Instruction& call, const Extent::Substitution& names,
                   std::vector<const Function*>& open);
  void copy_blocks(const Function& function);
  BasicBlock* split(const Instruction& call, BasicBlock& block);
  Value* at(const Value* value, const Extent::Substitution& names);
  void copy(const Instruction& from, BasicBlock& to, const Extent::Substitution& names);

  const Component& component_;
  Function& into_;
  std::vector<const Function*> functions_;
  std::map<const Function*, Extent::Substitution> names_;  ///< of each function's dimensions
  std::map<const Function*, BasicBlock*> entries_;
  std::unordered_map<const BasicBlock*, const Function*> owners_;
  std::unordered_map<const Value*, Value*> values_;
  std::unordered_map<const BasicBlock*, BasicBlock*> blocks_;
};

}  // namespace dlvm
