#include "dlvm/transform/aggregate_expansion.h"

#include <algorithm>
#include <unordered_map>

#include "dlvm/analysis/dominators.h"
#include "dlvm/analysis/expanded_type.h"
#include "dlvm/analysis/stack_record.h"
#include "dlvm/ir/builder.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/transform/enum_memory.h"
#include "dlvm/transform/expanded_functions.h"
#include "dlvm/transform/leaf_values.h"
#include "dlvm/transform/named_literals.h"
#include "dlvm/transform/rewrite.h"

namespace dlvm {
namespace {

using Values = std::vector<Value*>;

/// Whether there is more in the type than tuples, which other passes take apart within a block.
bool holds_declared(const Type& type) {
  if (!is_compound(type)) return false;
  if (!type.is_tuple()) return true;
  return std::ranges::any_of(type.elements(), holds_declared);
}

class FunctionExpansion {
 public:
  /// `changed`: the functions whose types have been expanded.
  FunctionExpansion(Function& function, const FunctionSet& changed)
      : function_(function), changed_(changed), memory_(function) {
    for (const auto& block : function.blocks())
      for (const auto& instruction : block->instructions())
        if (instruction->opcode() == Opcode::createStack) find_stack_accesses(*instruction);
  }

  /// Returns whether the leaves of all values can be had.
  bool is_possible() const {
    const bool own = changed_.contains(&function_);
    for (const auto& argument : function_.entry().arguments())
      if (!own && holds_enum(argument->type())) return false;
    for (const auto& block : function_.blocks())
      for (const auto& instruction : block->instructions())
        if ((!is_structural(*instruction) && touches_enum(*instruction)) || gives_enum(*instruction))
          return false;
    return true;
  }

  bool has_work() const {
    if (changed_.contains(&function_) || !stack_accesses_.empty() || !memory_.empty()) return true;
    for (const auto& block : function_.blocks()) {
      const bool entry = block.get() == &function_.entry();
      for (const auto& argument : block->arguments())
        if (is_compound(argument->type()) && (!entry || is_work(*argument))) return true;
      for (const auto& instruction : block->instructions()) {
        if (instruction->opcode() == Opcode::branchEnum && is_compound(instruction->operand(0)->type()))
          return true;
        if (is_compound(instruction->type()) && is_work(*instruction)) return true;
        if (const auto call = as<Apply>(*instruction); call && changed_.contains(call.callee())) return true;
      }
    }
    return false;
  }

  bool run() {
    if (!has_work()) return false;
    const ControlFlow flow(function_);
    std::vector<Instruction*> all;  // without those that are added
    for (const BasicBlock* block : flow.order())
      for (const auto& instruction : block->instructions()) all.push_back(instruction.get());
    memory_.change_types();
    for (BasicBlock* block : flow.order()) take_arguments(*block, flow);
    for (Instruction* instruction : all) expand(*instruction);
    remove();
    return true;
  }

 private:
  /// What pushes values to a stack of the function and takes them off, if they have leaves that no other pass
  /// takes apart.
  void find_stack_accesses(const Instruction& stack) {
    const auto record = stack_record(stack);
    if (!record || !holds_declared(*record)) return;
    for (const Instruction* user : stack.users())
      if (user->opcode() != Opcode::destroyStack) stack_accesses_.insert(user);
  }

  /// Whether the value is used in another block, or in another way than this pass leaves.
  static bool is_work(const Value& value) {
    if (!holds_declared(value.type()))
      return std::ranges::any_of(
          value.users(), [&](const Instruction* user) { return user->block() != defining_block(&value); });
    const Instruction* instruction = as_instruction(&value);
    if (instruction != nullptr && instruction->opcode() == Opcode::insert) return true;
    const bool made = instruction != nullptr && instruction->opcode() == Opcode::literal;
    return std::ranges::any_of(value.users(), [&](const Instruction* user) {
      if (user->block() != defining_block(&value) || user->opcode() == Opcode::insert) return true;
      if (user->opcode() == Opcode::extract) return made;
      return user->is(Trait::terminator) && user->opcode() != Opcode::return_;
    });
  }

  bool is_structural(const Instruction& i) const {
    if (const auto call = as<Apply>(i)) return changed_.contains(call.callee());
    if (stack_accesses_.contains(&i) || memory_.is_access(i)) return true;
    if (i.opcode() == Opcode::literal) return is_compound(i.type());  // else a recursive enum needs them
    return i.opcode() == Opcode::extract || i.opcode() == Opcode::insert;
  }

  /// Whether the instruction needs such an enum as it is, or gives one.
  bool touches_enum(const Instruction& i) const {
    if (i.opcode() == Opcode::branchEnum) return false;
    if (i.opcode() == Opcode::return_ && changed_.contains(&function_)) return false;
    return holds_enum(i.type()) ||
           std::ranges::any_of(i.own_operands(), [](const Value* each) { return holds_enum(each->type()); });
  }

  /// Whether the instruction takes such an enum out of a recursive one.
  static bool gives_enum(const Instruction& i) {
    if (i.opcode() != Opcode::branchEnum || is_compound(i.operand(0)->type())) return false;
    return std::ranges::any_of(i.successors(), [](const Successor& successor) {
      return std::ranges::any_of(successor.block->arguments(),
                                 [](const auto& argument) { return holds_enum(argument->type()); });
    });
  }

  // ------------------------------------------------------------------------------------------ leaves

  Values of(Value* value) {
    if (!is_compound(value->type())) return {value};
    if (as_literal(value) != nullptr) {
      Values zeros;
      for (const Type& leaf : expanded_types(value->type())) zeros.push_back(default_value(function_, leaf));
      return zeros;
    }
    return leaves_.at(value);
  }

  Values of_all(std::span<Value* const> values) {
    Values all;
    for (Value* value : values) {
      const Values leaves = of(value);
      all.insert(all.end(), leaves.begin(), leaves.end());
    }
    return all;
  }

  /// The replacement of the value: its only leaf, or the leaves under its name.
  void define(Value& value, Values leaves) {
    if (is_compound(value.type()))
      leaves_[&value] = std::move(leaves);
    else if (!value.users().empty())
      replace_all_uses(value, *leaves[0]);
  }

  // --------------------------------------------------------------------------------------- arguments

  void take_arguments(BasicBlock& block, const ControlFlow& flow) {
    const bool entry = &block == &function_.entry();
    const auto& edges = flow.predecessors(&block);
    if (!edges.empty() && edges[0].terminator->supplies_arguments() &&
        is_compound(edges[0].terminator->operand(0)->type()))
      return;  // the leaves are those of the enum
    const bool supplied = !edges.empty() && edges[0].terminator->supplies_arguments();
    std::vector<Argument*> old;
    for (const auto& argument : block.arguments()) old.push_back(argument.get());
    if (supplied || (entry && !changed_.contains(&function_))) {
      Builder builder(block, block.instructions().front().get());
      for (Argument* argument : old)
        if (is_compound(argument->type())) extract_leaves(builder, argument, leaves_[argument]);
      return;
    }
    if (std::ranges::none_of(old, [](const Argument* each) { return is_compound(each->type()); })) return;
    for (Argument* argument : old) {
      Values leaves;
      for (const Type& type : expanded_types(argument->type()))
        leaves.push_back(block.add_argument(type, argument->name()));
      define(*argument, std::move(leaves));
      dead_arguments_.push_back(argument);
    }
    replaced_.insert(&block);
  }

  // ------------------------------------------------------------------------------------ instructions

  void expand(Instruction& i) {
    if (i.is(Trait::terminator)) return expand_terminator(i);
    if (const auto made = as<Composite>(i)) return expand_literal(i, made);
    if (const auto extract = as<Extract>(i)) {
      const Values whole = of(extract.aggregate());
      const auto first = whole.begin() + static_cast<std::ptrdiff_t>(expanded_offset(
                                             extract.aggregate()->type(), extract.position()));
      define(i, {first, first + static_cast<std::ptrdiff_t>(expanded_count(i.type()))});
      dead_.push_back(&i);
      return;
    }
    if (const auto insert = as<Insert>(i)) {
      Values whole = of(insert.aggregate());
      const Values part = of(insert.element());
      std::ranges::copy(part, whole.begin() + static_cast<std::ptrdiff_t>(expanded_offset(
                                                  insert.aggregate()->type(), insert.position())));
      define(i, std::move(whole));
      dead_.push_back(&i);
      return;
    }
    if (const auto call = as<Apply>(i); call && changed_.contains(call.callee())) return expand_call(i, call);
    if (stack_accesses_.contains(&i)) return expand_stack_access(i);
    if (memory_.is_access(i)) return expand_memory_access(i);
    keep(i);
  }

  void expand_literal(Instruction& i, const Composite& made) {
    if (!is_compound(i.type())) return keep(i);  // a recursive enum
    dead_.push_back(&i);
    if (made.enum_case() == nullptr) return define(i, of_all(made.components()));
    const auto at = static_cast<std::size_t>((*made.enum_case())[0]);
    Values leaves;
    for (const Type& leaf : expanded_types(i.type())) leaves.push_back(default_value(function_, leaf));
    leaves[0] = function_.literal(ElementType::i32, static_cast<double>(at));
    std::ranges::copy(of_all(made.components()),
                      leaves.begin() + static_cast<std::ptrdiff_t>(expanded_offset(i.type(), at, 0)));
    define(i, std::move(leaves));
  }

  void expand_call(Instruction& i, const Apply& call) {
    Builder builder(*i.block(), &i);
    builder.set_locations(i.locations());
    Value* made = builder.apply(call.callee(), of_all(call.arguments()));
    made->set_name(i.name());
    Values leaves;
    if (is_compound(i.type()))
      extract_leaves(builder, made, leaves);
    else
      leaves.push_back(made);
    define(i, std::move(leaves));
    dead_.push_back(&i);
  }

  /// The stack holds tuples of the leaves, or the only leaf.
  void expand_stack_access(Instruction& i) {
    Builder builder(*i.block(), &i);
    builder.set_locations(i.locations());
    dead_.push_back(&i);
    if (i.opcode() == Opcode::push) {
      Values leaves = of(i.operand(0));
      return builder.push(leaves.size() == 1 ? leaves[0] : builder.tuple(std::move(leaves)), i.operand(1));
    }
    const std::vector<Type> types = expanded_types(i.type());
    Value* record =
        builder.create(i.opcode(), {i.operand(0)}, {types.size() == 1 ? types[0] : Type::tuple(types)});
    record->set_name(i.name());
    Values leaves;
    extract_leaves(builder, record, leaves);
    define(i, std::move(leaves));
  }

  void expand_memory_access(Instruction& i) {
    Builder builder(*i.block(), &i);
    builder.set_locations(i.locations());
    dead_.push_back(&i);
    if (i.opcode() == Opcode::store) {
      const Type type = EnumMemory::flattened(i.operand(0)->type());
      builder.create(Opcode::store, {assemble(builder, type, of(i.operand(0))), i.operand(1)});
      return;
    }
    Value* loaded = builder.create(Opcode::load, {i.operand(0)});
    loaded->set_name(i.name());
    Values leaves;
    extract_leaves(builder, loaded, leaves);
    define(i, std::move(leaves));
  }

  /// Gives the instruction its operands as they were, and takes its result apart.
  void keep(Instruction& i) {
    assemble_operands(i, i.operands().size());
    if (!is_compound(i.type()) || i.is(Trait::statement)) return;
    auto after =
        std::ranges::find(i.block()->instructions(), &i, [](const auto& each) { return each.get(); });
    Builder builder(*i.block(), std::next(after)->get());
    builder.set_locations(i.locations());
    Values leaves;
    extract_leaves(builder, &i, leaves);
    leaves_[&i] = std::move(leaves);
  }

  void assemble_operands(Instruction& i, std::size_t count) {
    Builder builder(*i.block(), &i);
    builder.set_locations(i.locations());
    for (std::size_t k = 0; k < count; ++k)
      if (Value* operand = i.operand(k); is_compound(operand->type()) && as_literal(operand) == nullptr)
        i.set_operand(k, assemble(builder, operand->type(), of(operand)));
  }

  // -------------------------------------------------------------------------------------- terminators

  void expand_terminator(Instruction& end) {
    if (end.opcode() == Opcode::return_) return expand_return(end);
    if (end.opcode() == Opcode::branchEnum && is_compound(end.operand(0)->type())) return expand_cases(end);
    for (std::size_t s = 0; s < end.successors().size(); ++s) {
      if (!replaced_.contains(end.successors()[s].block)) continue;
      const Values passed = of_all(end.passed(s));
      end.set_successor(s, end.successors()[s].block, passed);
    }
  }

  void expand_return(Instruction& end) {
    if (end.operands().empty() || !is_compound(end.operand(0)->type())) return;
    if (!changed_.contains(&function_)) return assemble_operands(end, 1);
    Builder builder(*end.block(), &end);
    builder.set_locations(end.locations());
    end.set_operand(0, builder.tuple(of(end.operand(0))));
  }

  /// Compares the number of the case with all but the last.
  void expand_cases(Instruction& end) {
    const BranchEnum cases(end);
    const Type& type = cases.value()->type();
    const Values leaves = of(cases.value());
    const std::vector<Successor> successors = end.successors();
    for (std::size_t s = 0; s < successors.size(); ++s)
      take_payload(*successors[s].block, type, static_cast<std::size_t>(cases.cases()[s]), leaves);
    BasicBlock* block = end.block();
    for (std::size_t s = 0; s + 1 < successors.size(); ++s) {
      const bool last = s + 2 == successors.size();
      Builder builder(*block, block == end.block() ? &end : nullptr);
      builder.set_locations(end.locations());
      Value* is_case =
          builder.binary(Opcode::equal, leaves[0],
                         builder.constant(ElementType::i32, static_cast<double>(cases.cases()[s])));
      BasicBlock* next = last ? successors[s + 1].block : function_.add_block("", block);
      builder.conditional(is_case, *successors[s].block, {}, *next, {});
      block = next;
    }
    if (successors.size() == 1) Builder(*end.block(), &end).branch(*successors[0].block, {});
    dead_.push_back(&end);
  }

  void take_payload(BasicBlock& block, const Type& type, std::size_t at, const Values& leaves) {
    for (const auto& argument : block.arguments()) {
      const auto first =
          leaves.begin() + static_cast<std::ptrdiff_t>(expanded_offset(type, at, argument->index()));
      define(*argument, {first, first + static_cast<std::ptrdiff_t>(expanded_count(argument->type()))});
      dead_arguments_.push_back(argument.get());
    }
  }

  void remove() {
    for (Instruction* each : dead_) each->drop_operands();
    for (Instruction* each : dead_) each->block()->erase(each);
    for (auto at = dead_arguments_.rbegin(); at != dead_arguments_.rend(); ++at)
      (*at)->block()->remove_argument((*at)->index());
  }

  Function& function_;
  const FunctionSet& changed_;
  const EnumMemory memory_;
  std::unordered_set<const Instruction*> stack_accesses_;
  std::unordered_map<const Value*, Values> leaves_;
  std::unordered_set<const BasicBlock*> replaced_;  ///< blocks that take leaves now
  std::vector<Instruction*> dead_;
  std::vector<Argument*> dead_arguments_;
};

}  // namespace

bool expand_aggregates(Function& function) {
  const auto is_declared = [](const auto& value) { return holds_declared(value->type()); };
  if (std::ranges::none_of(function.blocks(), [&](const auto& block) {
        return std::ranges::any_of(block->arguments(), is_declared) ||
               std::ranges::any_of(block->instructions(), is_declared);
      }))
    return false;
  const FunctionSet none;
  FunctionExpansion expansion(function, none);
  return expansion.is_possible() && expansion.run();
}

bool aggregate_expansion(Module& module) {
  bool any = for_each_body(module, resolve_named_literals);
  const auto can_be = [](Function& function, const FunctionSet& changed) {
    return FunctionExpansion(function, changed).is_possible();
  };
  const FunctionSet changed = expand_function_types(module, can_be);
  any = any || !changed.empty();
  for (const auto& function : module.functions()) {
    if (!function->has_body()) continue;
    FunctionExpansion expansion(*function, changed);
    if (!expansion.is_possible() || !expansion.has_work()) continue;
    remove_unreachable_blocks(*function);
    any = FunctionExpansion(*function, changed).run() || any;
  }
  return any;
}

}  // namespace dlvm
