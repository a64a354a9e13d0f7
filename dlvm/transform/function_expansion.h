// How a function takes leaves in the place of what is made of them: function_expansion.cpp finds what it has
// to do and does it block by block, expanded_instructions.cpp replaces the instructions.
#pragma once

#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dlvm/analysis/control_flow.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/transform/enum_memory.h"
#include "dlvm/transform/expanded_functions.h"

namespace dlvm {

/// Returns whether there is more in the type than tuples, which other passes take apart within a block.
bool holds_declared(const Type& type);

/// The expansion of one function: see aggregate_expansion.h.
class FunctionExpansion {
 public:
  using Values = std::vector<Value*>;
  /// `changed`: the functions whose types have been expanded.
  FunctionExpansion(Function& function, const FunctionSet& changed);

  /// Returns whether the leaves of all values can be had.
  bool is_possible() const;
  bool has_work() const;
  /// Returns whether something changed.
  bool run();

 private:
  /// The instructions that push values to a stack of the function and take them off, if they have leaves that
  /// no other pass takes apart.
  void find_stack_accesses(const Instruction& stack);
  /// Whether the value is used in another block, or in another way than this pass leaves.
  static bool is_work(const Value& value);
  /// Whether the leaves of the result are known from those of the operands.
  bool is_structural(const Instruction& i) const;
  /// Whether the instruction needs such an enum as it is, or gives one.
  bool touches_enum(const Instruction& i) const;
  /// Whether the instruction takes such an enum out of a recursive one.
  static bool gives_enum(const Instruction& i);

  // These find the leaves of values.
  Values of(Value* value);
  Values of_all(std::span<Value* const> values);
  /// The replacement of the value: its only leaf, or the leaves under its name.
  void define(Value& value, Values leaves);

  // These replace the arguments of blocks.
  void take_arguments(BasicBlock& block, const ControlFlow& flow);

  // These replace instructions.
  void expand(Instruction& i);
  void expand_literal(Instruction& i, const Composite& made);
  void expand_call(Instruction& i, const Apply& call);
  /// The stack holds tuples of the leaves, or the only leaf.
  void expand_stack_access(Instruction& i);
  void expand_memory_access(Instruction& i);
  /// Gives the instruction its operands as they were, and takes its result apart.
  void keep(Instruction& i);
  void assemble_operands(Instruction& i, std::size_t count);

  // These replace terminators.
  void expand_terminator(Instruction& end);
  void expand_return(Instruction& end);
  /// Compares the number of the case with all but the last.
  void expand_cases(Instruction& end);
  void take_payload(BasicBlock& block, const Type& type, std::size_t at, const Values& leaves);

  void remove();

  Function& function_;
  const FunctionSet& changed_;
  const EnumMemory memory_;
  std::unordered_set<const Instruction*> stack_accesses_;
  std::unordered_map<const Value*, Values> leaves_;
  std::unordered_set<const BasicBlock*> replaced_;  ///< blocks that take leaves now
  std::vector<Instruction*> dead_;
  std::vector<Argument*> dead_arguments_;
};

}  // namespace dlvm
