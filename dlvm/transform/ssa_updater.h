#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dlvm/analysis/dominance_frontiers.h"

namespace dlvm {

/// Gives the value of a variable, which blocks define, at the places where it is used. Where definitions
/// meet, blocks get arguments: those in the iterated dominance frontier of the definitions
/// (analysis/dominance_frontiers.h) whose value is asked for. A variable that is used where a way from the
/// entry does not define it is zero there, or undefined where its type has no zero. The graph of blocks must
/// not change meanwhile, and all its blocks must be reachable.
class SsaUpdater {
 public:
  SsaUpdater(const DominanceFrontiers& frontiers, Type type, std::string name)
      : frontiers_(frontiers), type_(std::move(type)), name_(std::move(name)) {}

  /// Makes `value` the variable's value behind the block. All definitions come before the first question.
  void define(const BasicBlock* block, Value* value) { at_end_[block] = value; }
  Value* at_begin(BasicBlock* block);

 private:
  Value* find(BasicBlock* block);
  Value* at_end(BasicBlock* block);

  const DominanceFrontiers& frontiers_;
  const Type type_;
  const std::string name_;
  std::unordered_map<const BasicBlock*, Value*> at_begin_, at_end_;
  std::optional<std::unordered_set<const BasicBlock*>> joins_;  ///< where definitions meet
  std::vector<BasicBlock*> open_;  ///< blocks with an argument to which nothing is passed yet
};

/// Removes arguments of blocks to which one value and the argument itself are passed; returns whether there
/// were any. All blocks must be reachable.
bool remove_copied_arguments(Function& function);

/// Gives every use of a value that the definition no longer dominates the value by arguments of blocks. Where
/// no definition reaches the use, it is zero or undefined.
bool restore_dominance(Function& function);

}  // namespace dlvm
