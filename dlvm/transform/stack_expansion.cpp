#include "dlvm/transform/stack_expansion.h"

#include <algorithm>
#include <map>
#include <optional>

#include "dlvm/analysis/leaves.h"
#include "dlvm/analysis/stack_record.h"
#include "dlvm/analysis/type_parts.h"
#include "dlvm/ir/builder.h"
#include "dlvm/ir/derived_names.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/ir/replacement.h"
#include "dlvm/transform/rewrite.h"
#include "dlvm/transform/single_value_stacks.h"
#include "dlvm/transform/ssa_updater.h"
#include "dlvm/transform/tuple_leaves.h"

namespace dlvm {
namespace {

constexpr ElementType counted = ElementType::i64;

std::optional<Extent> capacity(const Instruction& stack) {
  const auto* shape = std::get_if<Shape>(&stack.attributes()[0]);
  return shape != nullptr ? std::optional(shape->front()) : std::nullopt;
}

/// One stack. Its variables are the tensors of the leaves, and then the number of values.
class Expansion {
 public:
  Expansion(Module& module, Instruction& stack, Type type, Extent capacity,
            const DominanceFrontiers& frontiers)
      : module_(module),
        stack_(stack),
        function_(stack.block()->function()),
        type_(std::move(type)),
        leaves_(dlvm::leaves(type_)),
        same_(first_of_equal_leaves()),
        capacity_(std::move(capacity)),
        zeros_below_(std::holds_alternative<Integers>(stack.attributes()[1])),
        frontiers_(frontiers),
        depth_(leaves_.size()) {}

  void run() {
    for (BasicBlock* block : blocks()) expand(*block);
    connect();
    const auto users = stack_.users();
    for (Instruction* user : users)
      if (user->opcode() == Opcode::destroyStack) user->block()->erase(user);
    stack_.block()->erase(&stack_);
  }

 private:
  /// The values that the variables have where a block begins, as temporary values, and where it ends.
  struct State {
    std::vector<Value*> begin, now;
  };

  /// Returns, for each leaf, the first one of its type that is the same value in all that is pushed: the two
  /// need one tensor.
  std::vector<std::size_t> first_of_equal_leaves() const {
    std::vector<std::size_t> first;
    for (const Type& leaf : leaves_)
      first.push_back(static_cast<std::size_t>(std::ranges::find(leaves_, leaf) - leaves_.begin()));
    for (const Instruction* user : stack_.users()) {
      if (user->opcode() != Opcode::push) continue;
      const std::vector<const Value*> values = written_leaves(user->operand(0));
      std::map<std::pair<std::size_t, const Value*>, std::size_t> found;
      for (std::size_t v = 0; v < first.size(); ++v)
        first[v] = values[v] == nullptr ? v : found.emplace(std::pair{first[v], values[v]}, v).first->second;
    }
    return first;
  }

  std::vector<BasicBlock*> blocks() const {
    std::vector<BasicBlock*> all{stack_.block()};
    for (const Instruction* user : stack_.users()) all.push_back(user->block());
    std::ranges::sort(all, {}, [&](BasicBlock* block) { return frontiers_.flow().position(block); });
    all.erase(std::ranges::unique(all).begin(), all.end());
    return all;
  }

  Type variable_type(std::size_t v) const {
    if (v == depth_) return Type::scalar(counted);
    Shape shape{capacity_};
    shape.insert(shape.end(), leaves_[v].shape().begin(), leaves_[v].shape().end());
    return Type::tensor(leaves_[v].element(), std::move(shape));
  }
  std::string variable_name(std::size_t v) const {
    const std::string name = stack_.name().empty() ? "stack" : stack_.name();
    if (v == depth_) return name + "_depth";
    return leaves_.size() == 1 ? name + "_values" : name + "_values" + std::to_string(v);
  }

  void expand(BasicBlock& block) {
    State state;
    for (std::size_t v = 0; v <= depth_; ++v) state.begin.push_back(function_.splat(variable_type(v), 0));
    state.now = state.begin;
    std::vector<Instruction*> instructions;
    for (const auto& each : block.instructions())
      if (each.get() == &stack_ || std::ranges::count(each->operands(), &stack_) > 0)
        instructions.push_back(each.get());
    for (Instruction* instruction : instructions) {
      Builder b(block, instruction);
      b.set_locations(instruction->locations());
      if (instruction == &stack_)
        create(b, state.now);
      else if (instruction->opcode() == Opcode::push)
        push(b, *instruction, state.now);
      else if (instruction->opcode() != Opcode::destroyStack)
        pop(b, *instruction, state.now);
    }
    states_.emplace_back(&block, std::move(state));
  }

  void create(Builder& b, std::vector<Value*>& now) {
    for (std::size_t v = 0; v < depth_; ++v)
      if (same_[v] == v)
        now[v] = named(b.broadcast(b.constant(leaves_[v].element(), 0), variable_type(v).shape()), v);
    now[depth_] = b.constant(counted, 0);
  }

  void push(Builder& b, Instruction& push, std::vector<Value*>& now) {
    const std::vector<Value*> values = leaves_of(push.operand(0), b);
    Value* row = row_at(b, now[depth_]);
    for (std::size_t v = 0; v < depth_; ++v) {
      if (same_[v] != v) continue;
      const Combinator replaces{Opcode::add, replacement(module_, leaves_[v].element())};
      now[v] = named(b.scatter(values[v], now[v], {row}, replaces, {0}), v);
    }
    now[depth_] = named(b.add(row, b.constant(counted, 1)), depth_);
    push.block()->erase(&push);
  }

  void pop(Builder& b, Instruction& pop, std::vector<Value*>& now) {
    Value *row = named(b.subtract(now[depth_], b.constant(counted, 1)), depth_),
          *zero = b.constant(counted, 0);
    Value* holds = zeros_below_ ? b.binary(Opcode::greaterThan, now[depth_], zero) : nullptr;
    if (zeros_below_) row = named(b.binary(Opcode::max, row, zero), depth_);
    row = row_at(b, row);
    std::vector<Value*> values;
    for (std::size_t v = 0; v < depth_; ++v) {
      if (same_[v] != v) {
        values.push_back(values[same_[v]]);
        continue;
      }
      Value* top = b.gather(now[v], {row}, {0});
      if (zeros_below_) top = b.select(top, b.constant(leaves_[v].element(), 0), holds);
      values.push_back(top);
    }
    if (pop.opcode() == Opcode::pop) now[depth_] = row;
    Value* value = from_leaves(type_, values, b);
    if (value->name().empty()) value->set_name(pop.name());
    replace_all_uses(pop, *value);
    pop.block()->erase(&pop);
    forward_components(value);
  }

  /// Without leaves nothing else checks the number.
  Value* row_at(Builder& b, Value* depth) const {
    return leaves_.empty() ? b.check_index(depth, 0, capacity_) : depth;
  }

  Value* named(Value* value, std::size_t v) const {
    value->set_name(variable_name(v));
    return value;
  }

  /// Replaces the temporary values by those that the variables have where the blocks begin.
  void connect() {
    for (std::size_t v = 0; v <= depth_; ++v) {
      SsaUpdater variable(frontiers_, variable_type(v), variable_name(v));
      for (auto& [block, state] : states_)
        if (state.now[v] != state.begin[v]) variable.define(block, state.now[v]);
      for (auto& [block, state] : states_)
        if (!state.begin[v]->users().empty()) replace_all_uses(*state.begin[v], *variable.at_begin(block));
    }
  }

  Module& module_;
  Instruction& stack_;
  Function& function_;
  const Type type_;
  const std::vector<Type> leaves_;
  const std::vector<std::size_t> same_;  ///< by leaf, the one whose tensor it shares
  const Extent capacity_;
  const bool zeros_below_;
  const DominanceFrontiers& frontiers_;
  const std::size_t depth_;  ///< the position of the number of values among the variables
  std::vector<std::pair<BasicBlock*, State>> states_;
};

std::vector<Instruction*> stacks_of(const Function& function) {
  std::vector<Instruction*> stacks;
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions())
      if (instruction->opcode() == Opcode::createStack) stacks.push_back(instruction.get());
  return stacks;
}

bool expand_stacks(Module& module, Function& function) {
  if (stacks_of(function).empty()) return false;
  const bool changed = remove_unreachable_blocks(function);
  bool expanded = expand_single_value_stacks(module, function);
  const ControlFlow flow(function);
  const DominanceFrontiers frontiers(flow);
  for (Instruction* stack : stacks_of(function)) {
    const auto type = stack_record(*stack);
    const auto most = capacity(*stack);
    if (!type || !most || !is_made_of_tensors(*type)) continue;
    Expansion(module, *stack, *type, *most, frontiers).run();
    expanded = true;
  }
  if (expanded) remove_copied_arguments(function);
  return expanded || changed;
}

}  // namespace

bool stack_expansion(Module& module) {
  std::vector<Function*> functions;
  for (const auto& function : module.functions())
    if (function->has_body()) functions.push_back(function.get());
  bool changed = false;
  for (Function* function : functions) changed = expand_stacks(module, *function) || changed;
  return changed;
}

void give_stacks_capacities(Module& module) {
  for (const auto& function : module.functions())
    for (const auto& block : function->blocks())
      for (const auto& instruction : block->instructions())
        if (instruction->opcode() == Opcode::createStack && !capacity(*instruction))
          instruction->set_attribute(0, Shape{Extent::dimension(name_after(*function, "steps"))});
}

void name_steps(Module& module) {
  for (const auto& function : module.functions()) {
    const Extent::Substitution names{
        {std::string(steps_of_function), Extent::dimension(name_after(*function, "steps"))}};
    for (const auto& block : function->blocks())
      for (const auto& instruction : block->instructions())
        for (std::size_t i = 0; i < instruction->attributes().size(); ++i)
          instruction->set_attribute(i, substitute(instruction->attributes()[i], names));
  }
}

}  // namespace dlvm
