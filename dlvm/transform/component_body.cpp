#include "dlvm/transform/component_body.h"

#include <algorithm>

#include "dlvm/analysis/control_flow.h"
#include "dlvm/ir/builder.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/ir/unify_lists.h"

namespace dlvm {
namespace {

std::vector<BasicBlock*> reachable(const Function& function) {
  const ControlFlow flow(function);
  std::vector<BasicBlock*> order = flow.order();
  std::erase_if(order, [&](const BasicBlock* block) { return !flow.is_reachable(block); });
  return order;
}

}  // namespace

bool ComponentBody::copy(const Function& root) {
  names_[&root] = {};
  for (std::vector<const Function*> open{&root}; !open.empty();) {
    const Function* function = open.back();
    open.pop_back();
    if (!function->has_body() || !function->requirements.empty()) return false;
    add_blocks(*function);
    if (!find_callees(*function, open)) return false;
  }
  for (const Function* function : functions_) copy_blocks(*function);
  return true;
}

bool ComponentBody::is_recursive_call(const Instruction& instruction) const {
  const auto call = as<Apply>(instruction);
  return call && std::ranges::find(component_.functions, call.callee()) != component_.functions.end();
}

const Function* ComponentBody::owner(const BasicBlock* block) const {
  const auto found = owners_.find(block);
  return found == owners_.end() ? nullptr : found->second;
}

void ComponentBody::add_blocks(const Function& function) {
  const Extent::Substitution& names = names_.at(&function);
  for (const BasicBlock* block : reachable(function)) {
    BasicBlock* made = into_.add_block(block->name());
    for (const auto& argument : block->arguments())
      values_[argument.get()] = made->add_argument(argument->type().substitute(names), argument->name());
    blocks_[block] = made;
    owners_[made] = &function;
  }
  functions_.push_back(&function);
  entries_[&function] = blocks_.at(&function.entry());
}

bool ComponentBody::find_callees(const Function& function, std::vector<const Function*>& open) {
  const Extent::Substitution names = names_.at(&function);
  for (const BasicBlock* block : reachable(function))
    for (const auto& instruction : block->instructions())
      if (is_recursive_call(*instruction) && !find_callee(*instruction, names, open)) return false;
  return true;
}

/// `names` are the caller's. The first call of a function says what its dimensions are.
bool ComponentBody::find_callee(const Instruction& call, const Extent::Substitution& names,
                                std::vector<const Function*>& open) {
  const Function* callee = Apply(call).callee();
  const std::vector<Type>& parameters = callee->type().parameters();
  std::vector<Type> given;
  for (const Value* operand : call.operands()) given.push_back(operand->type().substitute(names));
  Extent::Substitution found;
  if (unify_lists(parameters, given, found) < parameters.size()) return false;
  const auto [known, is_first] = names_.try_emplace(callee, std::move(found));
  if (is_first) open.push_back(callee);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].substitute(known->second) != given[i]) return false;
  return callee->type().result().substitute(known->second) == call.type().substitute(names);
}

void ComponentBody::copy_blocks(const Function& function) {
  const Extent::Substitution& names = names_.at(&function);
  for (const BasicBlock* block : reachable(function)) {
    BasicBlock* to = blocks_.at(block);
    for (const auto& instruction : block->instructions()) {
      copy(*instruction, *to, names);
      if (is_recursive_call(*instruction)) to = split(*instruction, *to);
    }
  }
}

/// Returns the block that takes the call's result.
BasicBlock* ComponentBody::split(const Instruction& call, BasicBlock& block) {
  BasicBlock* rest = into_.add_block(block.name(), &block);
  owners_[rest] = owners_.at(&block);
  Value* result = values_.at(&call);
  values_[&call] = rest->add_argument(result->type(), call.name());
  Builder(block).branch(*rest, {result});
  return rest;
}

Value* ComponentBody::at(const Value* value, const Extent::Substitution& names) {
  Value*& copy = values_[value];
  if (copy == nullptr) {
    const Literal* literal = as_literal(value);
    copy = into_.copy(*literal, literal->type().substitute(names));
  }
  return copy;
}

void ComponentBody::copy(const Instruction& from, BasicBlock& to, const Extent::Substitution& names) {
  std::vector<Value*> operands;
  std::vector<Attribute> attributes;
  for (const Value* operand : from.operands()) operands.push_back(at(operand, names));
  for (const Attribute& attribute : from.attributes()) attributes.push_back(substitute(attribute, names));
  std::vector<Successor> successors = from.successors();
  for (Successor& successor : successors) successor.block = blocks_.at(successor.block);
  auto made = std::make_unique<Instruction>(from.opcode(), from.type().substitute(names), std::move(operands),
                                            std::move(attributes), std::move(successors));
  made->set_name(from.name());
  made->set_locations(from.locations());
  values_[&from] = to.insert(std::move(made));
}

}  // namespace dlvm
