#include "dlvm/transform/needed_parts.h"

#include <algorithm>

#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

/// Returns the names of dimensions that the function uses in other places than parameter `except`.
std::set<std::string> names_without(const Function& function, std::size_t except) {
  std::set<std::string> names;
  const auto& parameters = function.type().parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (i != except) parameters[i].collect_names(names);
  function.type().result().collect_names(names);
  for (const Requirement& requirement : function.requirements) {
    requirement.left.collect_names(names);
    requirement.right.collect_names(names);
  }
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions()) {
      instruction->type().collect_names(names);
      for (const Value* operand : instruction->operands())
        if (as_literal(operand) != nullptr) operand->type().collect_names(names);
      for (const Attribute& attribute : instruction->attributes())
        if (const auto* shape = std::get_if<Shape>(&attribute))
          for (const Extent& extent : *shape) extent.collect_names(names);
    }
  return names;
}

/// Whether an extent of the type is the dimension alone, which gives it its value.
bool binds(const Type& type, const std::string& name) {
  if (type.is_tuple())
    return std::ranges::any_of(type.elements(), [&](const Type& element) { return binds(element, name); });
  return type.is_tensor() &&
         std::ranges::any_of(type.shape(), [&](const Extent& extent) { return extent.name() == name; });
}

}  // namespace

NeededParts::NeededParts(const Module& module) : calls_(find_internal_calls(module)) {
  if (calls_.empty()) return;
  const Effects effects(module);
  for (const auto& function : module.functions())
    if (function->has_body()) {
      flows_.emplace(function.get(), ControlFlow(*function));
      add_roots(*function, effects);
    }
  do follow_all();
  while (std::ranges::any_of(calls_, [&](const auto& called) { return keep_dimensions(*called.first); }));
}

bool NeededParts::needs_parameter(const Function& function, std::size_t i) const {
  return needed_.contains(function.entry().arguments()[i].get());
}

bool NeededParts::needs_result(const Function& function, std::size_t i) const {
  const auto found = results_.find(&function);
  return found != results_.end() && found->second.contains(i);
}

void NeededParts::add_roots(const Function& function, const Effects& effects) {
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions()) {
      const bool returns = instruction->opcode() == Opcode::return_;
      if (instruction->is(Trait::terminator)) {
        if (!returns || !is_only_called(function))
          for (const Value* operand : instruction->own_operands()) add(operand);
        continue;
      }
      const auto call = as<Apply>(*instruction);
      if (effects.may_fail(*instruction) && !(call && is_only_called(*call.callee()))) add(instruction.get());
    }
  if (is_only_called(function)) return;
  for (const auto& parameter : function.entry().arguments()) add(parameter.get());
}

void NeededParts::add(const Value* value) {
  if (as_literal(value) == nullptr && needed_.insert(value).second) open_.push_back(value);
}

/// Of a tuple that is made where it is returned, the element alone is needed.
void NeededParts::add_result(const Function& function, std::size_t i) {
  if (!is_only_called(function) || !results_[&function].insert(i).second) return;
  const bool tuple = function.type().result().is_tuple();
  for (const auto& block : function.blocks()) {
    const Instruction* end = block->terminator();
    if (end->opcode() != Opcode::return_ || end->operands().empty()) continue;
    const Instruction* made = as_instruction(end->operand(0));
    if (tuple && made != nullptr && made->opcode() == Opcode::literal)
      add(made->operand(i));
    else
      add(end->operand(0));
  }
}

void NeededParts::follow(const Value* value) {
  if (const Argument* argument = as_argument(value)) {
    const Function& function = argument->block()->function();
    if (argument->block() != &function.entry()) {
      for (const BlockEdge& edge : flows_.at(&function).predecessors(argument->block()))
        add(edge.terminator->supplies_arguments() ? edge.terminator->operand(0)
                                                  : edge.passed()[argument->index()]);
    } else if (is_only_called(function)) {
      for (const Instruction* call : calls_.at(&function)) add(call->operand(argument->index()));
    }
    return;
  }
  const Instruction* instruction = as_instruction(value);
  const auto extract = as<Extract>(*instruction);
  const auto taken = extract ? as<Apply>(extract.aggregate()) : Apply();
  if (taken && is_only_called(*taken.callee())) return add_result(*taken.callee(), extract.position());
  const auto call = as<Apply>(*instruction);
  if (!call || !is_only_called(*call.callee())) {
    for (const Value* operand : instruction->operands()) add(operand);
    return;
  }
  const Type& result = call.callee()->type().result();
  const std::size_t count = result.is_tuple() ? result.elements().size() : 1;
  for (std::size_t i = 0; i < count; ++i) add_result(*call.callee(), i);
}

void NeededParts::follow_all() {
  while (!open_.empty()) {
    const Value* value = open_.back();
    open_.pop_back();
    follow(value);
  }
}

/// Needs a parameter if only it gives a dimension that is used its value; returns whether there was one.
bool NeededParts::keep_dimensions(const Function& function) {
  const auto& parameters = function.type().parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (needs_parameter(function, i)) continue;
    std::set<std::string> own;
    parameters[i].collect_names(own);
    if (own.empty()) continue;
    const auto used = names_without(function, i);
    for (const std::string& name : own) {
      bool bound = !used.contains(name);
      for (std::size_t k = 0; k < parameters.size() && !bound; ++k)
        bound = k != i && needs_parameter(function, k) && binds(parameters[k], name);
      if (bound) continue;
      add(function.entry().arguments()[i].get());
      return true;
    }
  }
  return false;
}

}  // namespace dlvm
