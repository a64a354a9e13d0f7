#include "dlvm/transform/function_expansion.h"

#include <algorithm>

#include "dlvm/analysis/dominators.h"
#include "dlvm/analysis/expanded_type.h"
#include "dlvm/analysis/stack_record.h"
#include "dlvm/ir/builder.h"
#include "dlvm/transform/leaf_values.h"

namespace dlvm {

bool holds_declared(const Type& type) {
  if (!is_compound(type)) return false;
  if (!type.is_tuple()) return true;
  return std::ranges::any_of(type.elements(), holds_declared);
}

FunctionExpansion::FunctionExpansion(Function& function, const FunctionSet& changed)
    : function_(function), changed_(changed), memory_(function) {
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions())
      if (instruction->opcode() == Opcode::createStack) find_stack_accesses(*instruction);
}

bool FunctionExpansion::is_possible() const {
  const bool own = changed_.contains(&function_);
  for (const auto& argument : function_.entry().arguments())
    if (!own && holds_enum(argument->type())) return false;
  for (const auto& block : function_.blocks())
    for (const auto& instruction : block->instructions())
      if ((!is_structural(*instruction) && touches_enum(*instruction)) || gives_enum(*instruction))
        return false;
  return true;
}

bool FunctionExpansion::has_work() const {
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

bool FunctionExpansion::run() {
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

void FunctionExpansion::find_stack_accesses(const Instruction& stack) {
  const auto record = stack_record(stack);
  if (!record || !holds_declared(*record)) return;
  for (const Instruction* user : stack.users())
    if (user->opcode() != Opcode::destroyStack) stack_accesses_.insert(user);
}

bool FunctionExpansion::is_work(const Value& value) {
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

bool FunctionExpansion::is_structural(const Instruction& i) const {
  if (const auto call = as<Apply>(i)) return changed_.contains(call.callee());
  if (stack_accesses_.contains(&i) || memory_.is_access(i)) return true;
  if (i.opcode() == Opcode::literal) return is_compound(i.type());  // else a recursive enum needs them
  return i.opcode() == Opcode::extract || i.opcode() == Opcode::insert;
}

bool FunctionExpansion::touches_enum(const Instruction& i) const {
  if (i.opcode() == Opcode::branchEnum) return false;
  if (i.opcode() == Opcode::return_ && changed_.contains(&function_)) return false;
  return holds_enum(i.type()) ||
         std::ranges::any_of(i.own_operands(), [](const Value* each) { return holds_enum(each->type()); });
}

bool FunctionExpansion::gives_enum(const Instruction& i) {
  if (i.opcode() != Opcode::branchEnum || is_compound(i.operand(0)->type())) return false;
  return std::ranges::any_of(i.successors(), [](const Successor& successor) {
    return std::ranges::any_of(successor.block->arguments(),
                               [](const auto& argument) { return holds_enum(argument->type()); });
  });
}

FunctionExpansion::Values FunctionExpansion::of(Value* value) {
  if (!is_compound(value->type())) return {value};
  if (as_literal(value) != nullptr) {
    Values zeros;
    for (const Type& leaf : expanded_types(value->type())) zeros.push_back(default_value(function_, leaf));
    return zeros;
  }
  return leaves_.at(value);
}

FunctionExpansion::Values FunctionExpansion::of_all(std::span<Value* const> values) {
  Values all;
  for (Value* value : values) {
    const Values leaves = of(value);
    all.insert(all.end(), leaves.begin(), leaves.end());
  }
  return all;
}

void FunctionExpansion::define(Value& value, Values leaves) {
  if (is_compound(value.type()))
    leaves_[&value] = std::move(leaves);
  else if (!value.users().empty())
    replace_all_uses(value, *leaves[0]);
}

void FunctionExpansion::take_arguments(BasicBlock& block, const ControlFlow& flow) {
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

void FunctionExpansion::remove() {
  for (Instruction* each : dead_) each->drop_operands();
  for (Instruction* each : dead_) each->block()->erase(each);
  for (auto at = dead_arguments_.rbegin(); at != dead_arguments_.rend(); ++at)
    (*at)->block()->remove_argument((*at)->index());
}

}  // namespace dlvm
