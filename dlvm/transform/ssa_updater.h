#pragma once

#include <string>
#include <unordered_map>

#include "dlvm/analysis/control_flow.h"

namespace dlvm {

/// Gives the value of a variable, which blocks define, at the places where it is used. Where definitions
/// meet, blocks get arguments (Braun et al.: Simple and Efficient Construction of Static Single Assignment
/// Form, 2013); a variable that is used where a way from the entry does not define it is zero there, or
/// undefined where its type has no zero. The graph of blocks must not change meanwhile, and all its blocks
/// must be reachable.
class SsaUpdater {
 public:
  SsaUpdater(const ControlFlow& flow, Type type, std::string name)
      : flow_(flow), type_(std::move(type)), name_(std::move(name)) {}

  /// Makes `value` the variable's value behind the block. All definitions come before the first question.
  void define(const BasicBlock* block, Value* value) { at_end_[block] = value; }
  Value* at_begin(BasicBlock* block);
  Value* at_end(BasicBlock* block);

 private:
  const ControlFlow& flow_;
  const Type type_;
  const std::string name_;
  std::unordered_map<const BasicBlock*, Value*> at_begin_, at_end_;
};

/// Removes arguments of blocks to which one value and the argument itself are passed; returns whether there
/// were any. All blocks must be reachable.
bool remove_copied_arguments(Function& function);

/// Gives every use of a value that the definition no longer dominates the value by arguments of blocks. Where
/// no definition reaches the use, it is zero or undefined.
bool restore_dominance(Function& function);

}  // namespace dlvm
