// The accesses of a stack are its creation, pushes, and what reads it: peeks and pops.
//
//  1. Each leaf of what is pushed belongs to a variable: its own, or one that it shares as a row. Leaves that
//     are the same value are one, where there is a single push.
//  2. In each block, the accesses in their order take the values of the variables from each other, beginning
//     with a temporary value. A read becomes the value that its leaves make.
//  3. The temporary values are replaced by what the blocks before give (ssa_updater.h). That may be another
//     temporary value, where what one stack gives is pushed to another; then it is what that one stands for.
#include "dlvm/transform/single_value_stacks.h"

#include <algorithm>
#include <map>

#include "dlvm/analysis/leaves.h"
#include "dlvm/analysis/loops.h"
#include "dlvm/analysis/stack_record.h"
#include "dlvm/analysis/type_parts.h"
#include "dlvm/ir/builder.h"
#include "dlvm/ir/replacement.h"
#include "dlvm/ir/type_hash.h"
#include "dlvm/transform/leaf_values.h"
#include "dlvm/transform/ssa_updater.h"
#include "dlvm/transform/tuple_leaves.h"

namespace dlvm {
namespace {

/// A value that more blocks than this would take is a row.
constexpr std::size_t max_joins = 4;

struct SingleValueStack {
  Instruction* stack = nullptr;
  std::vector<Instruction*> accesses;  ///< behind the creation, in the order of the blocks
  Type type;
  std::vector<std::size_t> cells;  ///< by leaf
  bool is_row = false;
};

/// The place of a leaf of a stack's value, or of several that are equal.
struct Cell {
  std::size_t leaf = 0;  ///< the first one
  std::size_t variable = 0;
  std::int64_t row = 0;
};

struct Variable {
  Type type;
  std::string name;
  std::int64_t rows = 0;  ///< 0 where the variable is the leaf of one stack
  /// The values that it has where a block begins, as a temporary value, and at the place that is reached.
  struct State {
    Value *begin = nullptr, *now = nullptr;
  };
  std::vector<std::pair<BasicBlock*, State>> states;
};

bool is_push(const Instruction& instruction) { return instruction.opcode() == Opcode::push; }
bool is_read(const Instruction& instruction) {
  return instruction.opcode() == Opcode::peek || instruction.opcode() == Opcode::pop;
}

bool has_one_value(const Instruction& stack) {
  const auto* capacity = std::get_if<Shape>(&stack.attributes()[0]);
  return capacity != nullptr && capacity->front().constant() == 1 &&
         std::holds_alternative<Integers>(stack.attributes()[1]);
}

class Expansion {
 public:
  Expansion(Module& module, Function& function)
      : module_(module),
        function_(function),
        flow_(function),
        frontiers_(flow_),
        loops_(flow_, dominators()) {}

  bool run() {
    if (loops_.is_irreducible()) return false;
    find_stacks();
    if (stacks_.empty()) return false;
    for (SingleValueStack& stack : stacks_) place(stack);
    for (Variable& variable : variables_)
      if (variable.rows > 0) {
        Shape shape = variable.type.shape();
        shape.insert(shape.begin(), variable.rows);
        variable.type = Type::tensor(variable.type.element(), std::move(shape));
      }
    for (BasicBlock* block : flow_.order()) expand(*block);
    connect();
    remove_stacks();
    return true;
  }

 private:
  const DominatorTree& dominators() const { return frontiers_.dominators(); }

  void find_stacks() {
    std::unordered_map<const Value*, std::vector<Instruction*>> accesses;
    std::vector<Instruction*> created;
    for (BasicBlock* block : flow_.order())
      for (const auto& each : block->instructions()) {
        if (each->opcode() == Opcode::createStack) created.push_back(each.get());
        if (is_push(*each) || is_read(*each)) accesses[each->operands().back()].push_back(each.get());
      }
    for (Instruction* stack : created)
      if (auto found = single_value_stack(*stack, accesses[stack])) stacks_.push_back(std::move(*found));
  }

  std::optional<SingleValueStack> single_value_stack(Instruction& created,
                                                     std::vector<Instruction*> accesses) const {
    if (!has_one_value(created)) return std::nullopt;
    const auto type = stack_record(created);
    if (!type || !is_made_of_tensors(*type)) return std::nullopt;
    if (std::ranges::none_of(accesses, [](const auto* each) { return is_push(*each); })) return std::nullopt;
    SingleValueStack found{&created, std::move(accesses), *type, {}};
    if (may_overflow(found)) return std::nullopt;
    found.is_row = should_be_row(found);
    return found;
  }

  /// Whether a push may come to the stack while it has a value: on some path, the last access besides peeks
  /// was a push.
  bool may_overflow(const SingleValueStack& stack) const {
    std::unordered_map<const BasicBlock*, std::vector<const Instruction*>> changes;
    std::vector<const BasicBlock*> homes{stack.stack->block()};
    changes[homes[0]].push_back(stack.stack);
    for (const Instruction* access : stack.accesses) {
      if (access->opcode() == Opcode::peek) continue;
      if (access->block() != homes.back()) homes.push_back(access->block());
      changes[access->block()].push_back(access);
    }
    std::vector<const BasicBlock*> open;
    for (const BasicBlock* home : homes) {
      const std::vector<const Instruction*>& in_it = changes.at(home);
      for (std::size_t i = 1; i < in_it.size(); ++i)
        if (is_push(*in_it[i - 1]) && is_push(*in_it[i])) return true;
      if (is_push(*in_it.back())) open.push_back(home);
    }
    std::unordered_set<const BasicBlock*> full;  // where the stack may have a value when they begin
    while (!open.empty()) {
      const BasicBlock* block = open.back();
      open.pop_back();
      for (const Successor& next : block->terminator()->successors()) {
        const auto found = changes.find(next.block);
        if (found != changes.end() && is_push(*found->second.front())) return true;
        if (full.insert(next.block).second && found == changes.end()) open.push_back(next.block);
      }
    }
    return false;
  }

  /// Whether the value passes many joins, and nothing reads that the stack is empty behind a pop: the pop is
  /// the last access, or a push follows it.
  bool should_be_row(const SingleValueStack& stack) const {
    std::vector<const BasicBlock*> homes;
    for (std::size_t i = 0; i < stack.accesses.size(); ++i) {
      const Instruction& access = *stack.accesses[i];
      if (loops_.innermost(access.block()) != nullptr) return false;
      if (is_push(access)) homes.push_back(access.block());
      if (access.opcode() != Opcode::pop || i + 1 == stack.accesses.size()) continue;
      // The blocks that a block outside of loops reaches stand behind it in the order.
      const Instruction& next = *stack.accesses[i + 1];
      if (!is_push(next) || next.block() != access.block()) return false;
    }
    return frontiers_.iterated(std::move(homes)).size() > max_joins;
  }

  /// Chooses the variables of the leaves.
  void place(SingleValueStack& stack) {
    for (Instruction* each : stack.accesses) stack_of_[each] = &stack;
    stack_of_[stack.stack] = &stack;
    const std::vector<Type> types = leaves(stack.type);
    const std::vector<const Value*> pushed = leaves_of_only_push(stack, types.size());
    std::map<const Value*, std::size_t> known;
    for (std::size_t leaf = 0; leaf < types.size(); ++leaf) {
      if (pushed[leaf] != nullptr) {
        const auto [cell, fresh] = known.try_emplace(pushed[leaf], cells_.size());
        stack.cells.push_back(cell->second);
        if (!fresh) continue;
      } else {
        stack.cells.push_back(cells_.size());
      }
      cells_.push_back(stack.is_row ? new_row(leaf, types[leaf]) : new_value(leaf, types[leaf], stack));
    }
  }
  /// The leaves of what is pushed, if there is one push; null for those that are not known.
  static std::vector<const Value*> leaves_of_only_push(const SingleValueStack& stack, std::size_t count) {
    const auto push = std::ranges::find_if(stack.accesses, [](const auto* each) { return is_push(*each); });
    const bool is_only = std::find_if(push + 1, stack.accesses.end(), [](const auto* each) {
                           return is_push(*each);
                         }) == stack.accesses.end();
    return is_only ? written_leaves((*push)->operand(0)) : std::vector<const Value*>(count);
  }
  Cell new_value(std::size_t leaf, const Type& type, const SingleValueStack& stack) {
    const std::string& name = stack.stack->name();
    variables_.push_back({type, name.empty() ? "kept" : name, 0, {}});
    return {leaf, variables_.size() - 1, 0};
  }
  Cell new_row(std::size_t leaf, const Type& type) {
    const auto [found, fresh] = variable_of_rows_.try_emplace(type, variables_.size());
    if (fresh) variables_.push_back({type, "kept_rows", 0, {}});
    return {leaf, found->second, variables_[found->second].rows++};
  }

  void expand(BasicBlock& block) {
    std::vector<Instruction*> accesses;
    for (const auto& each : block.instructions())
      if (stack_of_.contains(each.get())) accesses.push_back(each.get());
    for (Instruction* access : accesses) {
      const SingleValueStack& stack = *stack_of_.at(access);
      Builder b(block, access);
      b.set_locations(access->locations());
      if (access == stack.stack) {
        for (const std::size_t cell : stack.cells) clear(block, cells_[cell]);
      } else if (is_push(*access)) {
        push(b, *access, stack);
        block.erase(access);
      } else {
        read(b, *access, stack);
      }
    }
  }

  /// The state of the variable at this place of the block.
  Variable::State& state(BasicBlock& block, Variable& variable) {
    if (variable.states.empty() || variable.states.back().first != &block) {
      Value* begin = function_.splat(variable.type, 0);
      variable.states.push_back({&block, {begin, begin}});
      temporaries_[begin] = {static_cast<std::size_t>(&variable - variables_.data()), &block};
    }
    return variable.states.back().second;
  }

  /// Rows are zero from the entry on.
  void clear(BasicBlock& block, const Cell& cell) {
    Variable& variable = variables_[cell.variable];
    if (variable.rows > 0) return;
    state(block, variable).now = default_value(function_, variable.type);
  }

  void push(Builder& b, const Instruction& push, const SingleValueStack& stack) {
    const std::vector<Value*> pushed = leaves_of(push.operand(0), b);
    for (std::size_t leaf = 0; leaf < pushed.size(); ++leaf) {
      const Cell& cell = cells_[stack.cells[leaf]];
      if (cell.leaf != leaf) continue;
      Variable& variable = variables_[cell.variable];
      Variable::State& here = state(b.block(), variable);
      if (variable.rows == 0) {
        here.now = pushed[leaf];
        continue;
      }
      const Combinator replaces{Opcode::add, replacement(module_, variable.type.element())};
      Value* row = b.constant(ElementType::i64, static_cast<double>(cell.row));
      here.now = b.scatter(pushed[leaf], here.now, {row}, replaces, {0});
      here.now->set_name(variable.name);
    }
  }

  /// Replaces the peek or pop. The stack is empty behind a pop, but nothing reads that of a row.
  void read(Builder& b, Instruction& read, const SingleValueStack& stack) {
    std::vector<Value*> values;
    for (const std::size_t cell : stack.cells) values.push_back(value_in(b, cells_[cell]));
    if (read.opcode() == Opcode::pop)
      for (const std::size_t cell : stack.cells) clear(b.block(), cells_[cell]);
    Value* value = from_leaves(stack.type, values, b);
    replace_all_uses(read, *value);
    read.block()->erase(&read);
    forward_components(value);
  }
  Value* value_in(Builder& b, const Cell& cell) {
    Variable& variable = variables_[cell.variable];
    Value* value = state(b.block(), variable).now;
    if (variable.rows == 0) return value;
    const Shape& shape = variable.type.shape();
    Shape from(shape.size(), 0), upto = shape;
    from[0] = cell.row;
    upto[0] = cell.row + 1;
    return b.shape_cast(b.slice(value, std::move(from), std::move(upto)),
                        Shape(shape.begin() + 1, shape.end()));
  }

  /// Replaces the temporary values. A value that replaces one may pass others to the blocks where paths meet,
  /// so that they have users again: each variable does that once in a block, and then none has users.
  void connect() {
    std::vector<SsaUpdater> updaters;
    for (const Variable& variable : variables_) {
      updaters.emplace_back(frontiers_, variable.type, variable.name);
      for (const auto& [block, state] : variable.states)
        if (state.now != state.begin) updaters.back().define(block, state.now);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const Variable& variable : variables_)
        for (const auto& [block, state] : variable.states) {
          if (state.begin->users().empty()) continue;
          replace_all_uses(*state.begin, *lasting(state.begin, updaters));
          changed = true;
        }
    }
  }

  /// Returns what a temporary value stands for. A variable is, where a block begins, an argument of a block
  /// or what was pushed in a block that strictly dominates this one. Where that is a temporary value again,
  /// it is one of a block that dominates that block. So each step goes up in the dominator tree, whatever
  /// stacks pass their values to each other, and the last one finds a value that is not temporary.
  Value* lasting(Value* value, std::vector<SsaUpdater>& updaters) const {
    for (auto at = temporaries_.find(value); at != temporaries_.end(); at = temporaries_.find(value))
      value = updaters[at->second.variable].at_begin(at->second.block);
    return value;
  }

  void remove_stacks() {
    for (const SingleValueStack& stack : stacks_) {
      const std::vector<Instruction*> users = stack.stack->users();
      for (Instruction* user : users) user->block()->erase(user);
      stack.stack->block()->erase(stack.stack);
    }
  }

  Module& module_;
  Function& function_;
  const ControlFlow flow_;
  const DominanceFrontiers frontiers_;
  const LoopNest loops_;
  std::vector<SingleValueStack> stacks_;
  std::unordered_map<const Instruction*, const SingleValueStack*> stack_of_;  ///< by access
  std::vector<Cell> cells_;
  std::vector<Variable> variables_;
  struct Place {
    std::size_t variable;
    BasicBlock* block;
  };
  std::unordered_map<const Value*, Place> temporaries_;  ///< where each temporary value is one
  std::unordered_map<Type, std::size_t, TypeHash> variable_of_rows_;
};

}  // namespace

bool expand_single_value_stacks(Module& module, Function& function) {
  return Expansion(module, function).run();
}

}  // namespace dlvm
