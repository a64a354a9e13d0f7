#include "dlvm/transform/sparse_propagation.h"

#include <set>
#include <unordered_map>
#include <unordered_set>

#include "dlvm/analysis/control_flow.h"
#include "dlvm/ir/builder.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/transform/constant_folding.h"
#include "dlvm/transform/control_flow_edits.h"

namespace dlvm {
namespace {

/// The knowledge about a value, an element of a lattice. It begins unknown, and goes down at most twice.
struct State {
  enum class Kind : std::uint8_t { unknown, literal, varying };
  Kind kind = Kind::unknown;
  const Literal* literal = nullptr;
};

class SparsePropagation {
 public:
  explicit SparsePropagation(Function& function) : function_(function) {}

  bool run() {
    for (const auto& parameter : function_.entry().arguments())
      states_[parameter.get()] = {State::Kind::varying, nullptr};
    enter(&function_.entry());
    while (!blocks_.empty() || !values_.empty()) {
      if (!blocks_.empty()) {
        BasicBlock* block = blocks_.back();
        blocks_.pop_back();
        for (const auto& instruction : block->instructions()) visit(*instruction);
        continue;
      }
      const Value* value = values_.back();
      values_.pop_back();
      for (Instruction* user : value->users())
        if (entered_.contains(user->block())) visit_user(*user, *value);
      if (const auto found = arguments_.find(value); found != arguments_.end())
        for (const Argument* argument : found->second) lower(argument, state(value));
    }
    return replace();
  }

 private:
  State state(const Value* value) const {
    if (const Literal* literal = as_literal(value)) return {State::Kind::literal, literal};
    const auto found = states_.find(value);
    return found == states_.end() ? State{} : found->second;
  }

  void enter(BasicBlock* block) {
    if (entered_.insert(block).second) blocks_.push_back(block);
  }

  void lower(const Value* value, State to) {
    State& now = states_[value];
    if (now.kind == State::Kind::varying || to.kind == State::Kind::unknown) return;
    if (now.kind == State::Kind::literal && to.kind == State::Kind::literal &&
        now.literal->is_same_as(*to.literal))
      return;
    now = now.kind == State::Kind::unknown ? to : State{State::Kind::varying, nullptr};
    values_.push_back(value);
  }

  /// Visits an instruction again whose operand `value` has changed. A terminator is visited only if `value`
  /// is its condition: `arguments_` leads from the values that it passes to the arguments of blocks.
  void visit_user(Instruction& user, const Value& value) {
    if (!user.is(Trait::terminator)) return visit(user);
    const auto conditional = as<Conditional>(user);
    if (conditional && conditional.condition() == &value) visit_terminator(user);
  }

  void visit(Instruction& instruction) {
    if (instruction.is(Trait::terminator)) return visit_terminator(instruction);
    std::vector<const Literal*> operands;
    for (const Value* operand : instruction.operands()) {
      const State known = state(operand);
      if (known.kind == State::Kind::unknown) return;
      if (known.kind == State::Kind::varying) return lower(&instruction, known);
      operands.push_back(known.literal);
    }
    if (const Literal* literal = folded(instruction, operands, function_))
      return lower(&instruction, {State::Kind::literal, literal});
    lower(&instruction, {State::Kind::varying, nullptr});
  }

  void visit_terminator(const Instruction& end) {
    if (const auto conditional = as<Conditional>(end)) {
      const State condition = state(conditional.condition());
      if (condition.kind == State::Kind::unknown) return;
      if (condition.kind == State::Kind::literal)
        return take(end, condition.literal->data().integer(0) != 0 ? 0 : 1);
    }
    for (std::size_t i = 0; i < end.successors().size(); ++i) take(end, i);
  }

  void take(const Instruction& end, std::size_t successor) {
    if (!taken_.insert({&end, successor}).second) return;
    BasicBlock* to = end.successors()[successor].block;
    const auto passed = end.passed(successor);
    for (std::size_t i = 0; i < passed.size(); ++i) {
      const Argument* argument = to->arguments()[i].get();
      lower(argument, state(passed[i]));
      if (as_literal(passed[i]) == nullptr) arguments_[passed[i]].push_back(argument);
    }
    if (end.supplies_arguments())
      for (const auto& argument : to->arguments()) lower(argument.get(), {State::Kind::varying, nullptr});
    enter(to);
  }

  bool replace(Value& value) {
    const State known = state(&value);
    if (known.kind != State::Kind::literal || value.users().empty()) return false;
    replace_all_uses(value, *function_.copy(*known.literal, known.literal->type()));
    return true;
  }

  bool replace() {
    bool changed = false;
    for (const auto& block : function_.blocks()) {
      if (!entered_.contains(block.get())) continue;
      for (const auto& argument : block->arguments()) changed = replace(*argument) || changed;
      for (const auto& instruction : block->instructions())
        if (!instruction->is(Trait::terminator)) changed = replace(*instruction) || changed;
    }
    for (const auto& block : function_.blocks())
      if (entered_.contains(block.get())) changed = fold_condition(*block) || changed;
    return remove_unreachable_blocks(function_) || changed;
  }

  Function& function_;
  std::unordered_map<const Value*, State> states_;
  std::unordered_set<const BasicBlock*> entered_;
  std::set<std::pair<const Instruction*, std::size_t>> taken_;                ///< the ways that can be taken
  std::unordered_map<const Value*, std::vector<const Argument*>> arguments_;  ///< that a way passes the value
  std::vector<BasicBlock*> blocks_;
  std::vector<const Value*> values_;
};

}  // namespace

bool sparse_propagation(Function& function) { return SparsePropagation(function).run(); }

}  // namespace dlvm
