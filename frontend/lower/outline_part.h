// Finds what an outline consists of: blocks, values that are built, and values that are taken from outside.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dlvm/analysis/control_flow.h"
#include "dlvm/analysis/dominators.h"
#include "frontend/lower/outline.h"

namespace frontend::lower {

using dlvm::BasicBlock;
using dlvm::Instruction;
using dlvm::Value;

/// The blocks of the part are those on some way from where the values stand to the instruction, on which the
/// values are not computed anew. The first one and the last one belong to it in part. Where loops begin on
/// such a way and have the instruction in them, the way goes through the round at hand alone: what they carry
/// from round to round is taken from outside, and must not depend on the values.
class Outline::Part {
 public:
  Part(dlvm::Function& function, const Instruction& place, std::vector<Value*> by,
       const std::unordered_set<Instruction*>& same);

  /// Finds the part that computes the value.
  Problem find(Value* value);

  const std::vector<Value*>& arguments() const { return arguments_; }

 private:
  // --------------------------------------------------------------------------------- what belongs to it

  /// Whether the way leads to another round of a loop in which the instruction stands.
  bool starts_round(const BasicBlock* from, const BasicBlock* to) const;

  /// Whether a way inside the part may go from one block to the other.
  bool goes(const BasicBlock* from, const BasicBlock* to) const;

  /// Whether the value is carried from round to round of a loop in which the instruction stands, and depends
  /// on the values.
  bool is_carried(const Value* value) const { return is_of_header(value) && carried_.contains(value); }

  /// Returns whether the value is carried from round to round of such a loop.
  bool is_of_header(const Value* value) const;

  /// Finds where the loops begin in which the instruction stands, and the values do not.
  void find_headers();

  /// Finds the blocks on ways from the first one to the last one.
  void find_blocks();

  /// The blocks to which ways inside the part lead from this one.
  std::unordered_set<const BasicBlock*> behind(const BasicBlock* from) const;

  bool in_cycle(const BasicBlock* block);

  // -------------------------------------------------------------------------------------- what depends

  /// Adds to `found` what follows from the values, through instructions and along the edges between blocks on
  /// which `goes`. Where a condition follows from them, so do the arguments of the blocks that `decided`
  /// returns for the block that it ends.
  template <typename Goes, typename Decided>
  void follow(std::unordered_set<const Value*>& found, Goes goes, Decided decided) const;

  /// Where a condition depends on the values, so does all that is different behind it.
  void find_dependent();

  /// Finds what depends on the values in this round or an earlier one. A condition decides which of several
  /// ways within the round leads to a block; that it decides about further rounds does not count.
  void find_carried();

  /// Returns the blocks to which several ways within the round lead from this one.
  std::vector<const BasicBlock*> joins_behind(const BasicBlock* from) const;

  bool is_by(const Value* value) const { return std::ranges::find(by_, value) != by_.end(); }

  /// Returns the value, or the operand of an instruction that stands for it.
  Value* itself(Value* value) const;

  /// Whether the value depends on the others through an argument of a block. Otherwise it does through
  /// instructions alone, each of which is above the next.
  bool depends_through_join() const;

  // ---------------------------------------------------------------------------------------- what is built

  /// A value that does not depend on the others is taken as it is, if it is still what it was when the part
  /// needs it.
  bool is_outside(const Value* value);

  /// Takes a value from outside, or has it built from its operands.
  void need(Value* written);

  /// Whether the value is a number that is computed from extents alone. The part computes it anew, so that
  /// the rounds of its loops are known to be bounded by extents.
  static bool follows_from_extents(Value* value);

  static bool is_arithmetic_of_integers(const Instruction& instruction);

  void take_join(const dlvm::Argument& argument);

  /// Which way the block goes on, where it has several in the part.
  void need_decision(const BasicBlock& block);

  /// The other ways do not lead to the instruction: they have not been taken when it is reached.
  bool decides(const Instruction& terminator) const;

  friend class PartBuilder;
  dlvm::ControlFlow flow_;
  dlvm::DominatorTree dominators_;
  const Instruction& place_;
  std::vector<Value*> by_;
  const std::unordered_set<Instruction*>& same_;
  const BasicBlock *first_ = nullptr, *last_ = nullptr;
  std::unordered_set<const BasicBlock*> blocks_;
  std::unordered_set<const BasicBlock*> headers_;  ///< of the loops in which the instruction stands alone
  std::unordered_map<const BasicBlock*, bool> in_cycle_;
  std::unordered_set<const Value*> dependent_, carried_, seen_, built_;
  std::vector<Value*> arguments_, waiting_;
  std::vector<Value*> extents_;  ///< what is computed from extents outside, and anew in the part
  Value* value_ = nullptr;
  bool joins_ = false;
};

}  // namespace frontend::lower
