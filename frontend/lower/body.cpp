#include "frontend/lower/body.h"

#include <fmt/format.h>

#include "dlvm/ir/identity.h"
#include "frontend/lower/keys.h"

namespace frontend::lower {
namespace {

using dlvm::ElementType;
using dlvm::Opcode;
using dlvm::Tensor;

std::vector<dlvm::Type> types_of(const std::vector<check::Type>& types) {
  std::vector<dlvm::Type> result;
  for (const check::Type& type : types) result.push_back(type.dlvm());
  return result;
}

/// The constants with an expression that the body names.
template <typename Visit>
void for_each_constant(const Body& body, Visit visit) {
  for (const auto& node : body.nodes)
    if (node->live && node->kind == Node::Kind::reference && node->declaration->is_computed_constant())
      visit(*node->declaration);
}

}  // namespace

// ---------------------------------------------------------------------------------------------- functions

dlvm::Function* Functions::add(const std::string& name, dlvm::Type type) {
  return module_.add_function(module_.fresh_name(name), std::move(type));
}

// Callees first, by a stack of our own: a chain of calls may be as long as the program.
dlvm::Function* Functions::of(const Instance& instance, bool training) {
  const auto key = [&](const Instance& each) { return std::pair(&each, needs_training(each) && training); };
  std::vector<const Instance*> stack{&instance};
  while (!stack.empty()) {
    const Instance& top = *stack.back();
    if (made_.contains(key(top))) {
      stack.pop_back();
      continue;
    }
    const std::size_t height = stack.size();
    for (const auto& node : top.body.nodes)
      if (node->live && node->kind == Node::Kind::call && !made_.contains(key(*node->callee)))
        stack.push_back(node->callee);
    if (stack.size() != height) continue;
    stack.pop_back();
    make(top, training);
  }
  return made_.at(key(instance));
}

void Functions::make(const Instance& instance, bool training) {
  const ast::Function& syntax = *instance.function->syntax;
  std::vector<dlvm::Type> types = types_of(instance.parameters);
  std::vector<std::string> names;
  for (const ast::Parameter& parameter : syntax.parameters)
    if (parameter.is_value()) names.push_back(parameter.name.text);
  const bool draws = instance.draws && training;
  if (draws) types.push_back(dlvm::Type::scalar(ElementType::u64)), names.emplace_back("key");
  dlvm::Function* function =
      add(syntax.name.text, dlvm::Type::function(std::move(types), instance.result.dlvm()));
  function->location = syntax.name.location;
  function->add_entry(names);
  made_.emplace(std::pair(&instance, needs_training(instance) && training), function);

  BodyLowering lowering(*this, *function, training);
  std::vector<dlvm::Value*> parameters;
  for (const auto& argument : function->entry().arguments()) parameters.push_back(argument.get());
  if (draws) lowering.set_key(parameters.back());
  lowering.set_parameters(std::move(parameters));
  dlvm::Value* result = lowering.build(instance.body);
  lowering.builder().return_(result);
}

// ------------------------------------------------------------------------------------------------- bodies

void BodyLowering::build_constants(const Body& body) {
  std::vector<const Declaration*> stack;
  for_each_constant(body, [&](const Declaration& constant) { stack.push_back(&constant); });
  while (!stack.empty()) {
    const Declaration& top = *stack.back();
    if (values_.contains(&top)) {
      stack.pop_back();
      continue;
    }
    const std::size_t height = stack.size();
    for_each_constant(top.body, [&](const Declaration& constant) {
      if (!values_.contains(&constant)) stack.push_back(&constant);
    });
    if (stack.size() != height) continue;
    stack.pop_back();
    build(top);
  }
}

dlvm::Value* BodyLowering::build(const Declaration& declaration) {
  dlvm::Value* value = build(declaration.body);
  if (value->kind() == dlvm::Value::Kind::instruction && value->name().empty())
    value->set_name(declaration.state ? declaration.state->name + ".next" : declaration.name);
  set(declaration, value);
  return value;
}

dlvm::Value* BodyLowering::build(const Body& body) {
  build_constants(body);
  for (const auto& node : body.nodes)
    if (node->live) nodes_[node.get()] = build(*node);
  dlvm::Value* result = nodes_.at(body.result);
  for (const auto& node : body.nodes) nodes_.erase(node.get());
  return result;
}

dlvm::Value* BodyLowering::literal(const Node& node) {
  const ElementType element = node.type.element.type;
  if (node.values.size() == 1) {
    Tensor data(element, {});
    node.values[0].store(data, 0);
    return builder_.function().literal(node.type.dlvm(), std::move(data));
  }
  std::vector<std::int64_t> extents;
  for (const auto& extent : node.type.shape) extents.push_back(extent.constant().value_or(0));
  Tensor data(element, std::move(extents));
  for (std::size_t i = 0; i < node.values.size(); ++i) node.values[i].store(data, i);
  return builder_.function().literal(node.type.dlvm(), std::move(data));
}

dlvm::Value* BodyLowering::build(const Node& node) {
  builder_.set_locations({node.location});
  const ElementType element = node.type.element.type;
  std::vector<dlvm::Value*> operands;
  for (const Node* each : node.operands) operands.push_back(operand(each));
  switch (node.kind) {
    case Node::Kind::constant:
      return literal(node);
    case Node::Kind::reference:
      return value(*node.declaration);
    case Node::Kind::parameter:
      return parameters_[node.index];
    case Node::Kind::identity:
      return builder_.function().literal(node.type.dlvm(), dlvm::identity_of(node.opcode, element));
    case Node::Kind::training:
      return builder_.function().literal(node.type.dlvm(), Tensor::scalar(element, std::int64_t{training_}));
    case Node::Kind::key:
      return key_ != nullptr
                 ? key_
                 : builder_.function().literal(node.type.dlvm(), Tensor::scalar(element, std::int64_t{0}));
    case Node::Kind::call:
      if (training_ && node.callee->draws) operands.push_back(key_of_call(node.index, key_, builder_));
      return builder_.apply(functions_.of(*node.callee, training_), std::move(operands));
    case Node::Kind::operation:
      break;
  }
  std::vector<dlvm::Attribute> attributes = node.attributes;
  for (dlvm::Attribute& attribute : attributes)
    if (std::holds_alternative<ElementType>(attribute)) attribute = element;
  return builder_.create(node.opcode, std::move(operands), std::move(attributes));
}

}  // namespace frontend::lower
