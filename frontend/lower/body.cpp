#include "frontend/lower/body.h"

#include <fmt/format.h>

#include "dlvm/analysis/gradient_type.h"
#include "dlvm/ir/identity.h"
#include "dlvm/ir/replacement.h"
#include "dlvm/support/internal_error.h"
#include "frontend/lower/keys.h"
#include "frontend/lower/statements.h"

namespace frontend::lower {
namespace {

using dlvm::ElementType;
using dlvm::Tensor;

std::vector<dlvm::Type> types_of(const std::vector<check::Type>& all, Types& types) {
  std::vector<dlvm::Type> result;
  for (const check::Type& type : all) result.push_back(types.of(type));
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

const dlvm::Function* Functions::replacement(ElementType element) {
  return dlvm::replacement(module_, element);
}

dlvm::Function* Functions::declare(const Instance& instance, bool training) {
  dlvm::Function*& function = declared_[key(instance, training)];
  if (function != nullptr) return function;
  const ast::Function& syntax = *instance.function->syntax;
  std::vector<dlvm::Type> types = types_of(instance.parameters, this->types);
  for (const check::NetTensor& tensor : instance.tensors) types.push_back(tensor.declaration->type.dlvm());
  if (happens(instance.draws, training)) types.push_back(dlvm::Type::scalar(ElementType::u64));
  std::vector<dlvm::Type> results = types_of(instance.results, this->types);
  for (const check::StateChange& change : instance.body.changes) results.push_back(change.value->type.dlvm());
  dlvm::Type result = results.size() == 1 ? results.front() : dlvm::Type::tuple(std::move(results));
  const check::Function* primal = instance.function->custom_gradient_of;
  function = add(primal != nullptr ? primal->name() + ".derivative" : instance.function->name(),
                 dlvm::Type::function(std::move(types), std::move(result)));
  function->location = syntax.name.location;
  std::vector<std::string> names;
  for (const ast::Parameter& parameter : syntax.parameters)
    if (parameter.is_value()) names.push_back(parameter.name.text);
  for (const check::NetTensor& tensor : instance.tensors) names.push_back(tensor.name);
  if (happens(instance.draws, training)) names.emplace_back("key");
  function->add_entry(names);
  return function;
}

// Callees first, by a stack of our own: a chain of calls may be as long as the program. Where functions call
// each other, one of them has a callee whose body is made later.
dlvm::Function* Functions::of(const Instance& instance, bool training) {
  std::vector<const Instance*> stack{&instance};
  std::set<const Instance*> visited;
  while (!stack.empty()) {
    const Instance& top = *stack.back();
    if (begun_.contains(key(top, training))) {
      stack.pop_back();
      continue;
    }
    const std::size_t height = stack.size();
    const bool first = visited.insert(&top).second;
    if (first && top.custom_gradient != nullptr && !visited.contains(top.custom_gradient))
      stack.push_back(top.custom_gradient);
    if (first)
      for (const auto& node : top.body.nodes)
        if (node->live && node->callee != nullptr && !begun_.contains(key(*node->callee, training)) &&
            !visited.contains(node->callee))
          stack.push_back(node->callee);
    if (stack.size() != height) continue;
    stack.pop_back();
    begun_.insert(key(top, training));
    make(top, training);
  }
  return declare(instance, training);
}

dlvm::Function* Functions::derivative_of(const Instance& instance, const check::Derivative& derivative,
                                         bool training) {
  dlvm::Function* primal = of(instance, training);
  dlvm::Function*& function = derivatives_[{primal, derivative.syntax}];
  if (function != nullptr) return function;
  dlvm::GradientDeclaration declaration;
  declaration.of = primal;
  declaration.from = derivative.from;
  declaration.wrt = derivative.wrt;
  declaration.keeping = derivative.keeping;
  declaration.seedable = derivative.syntax->seedable;
  declaration.location = derivative.syntax->location;
  std::string why;
  const auto type = dlvm::gradient_type(declaration, why);
  if (!type) dlvm::internal_error("lowered derivative of a function: " + why);
  function = add(derivative.syntax->name.text, *type);
  function->location = derivative.syntax->location;
  function->gradient = std::move(declaration);
  return function;
}

void Functions::make(const Instance& instance, bool training) {
  dlvm::Function* function = declare(instance, training);
  if (instance.custom_gradient != nullptr) function->adjoint = declare(*instance.custom_gradient, training);
  BodyLowering lowering(*this, *function, training);
  std::vector<dlvm::Value*> parameters;
  for (const auto& argument : function->entry().arguments()) parameters.push_back(argument.get());
  if (happens(instance.draws, training)) lowering.set_key(parameters.back());
  lowering.set_parameters(std::move(parameters));
  for (const std::size_t index : instance.body.parts_differentiated_by) lowering.name_parameter(index);
  lower_statements(instance.body, lowering);
  lowering.finish();
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
  if (declaration.differentiated_by) value = named(value);
  set(declaration, value);
  return value;
}

dlvm::Value* BodyLowering::build(const Body& body) {
  build_constants(body);
  build(body, 0, body.nodes.size());
  dlvm::Value* result = nodes_.at(body.result);
  for (const check::StateChange& change : body.changes) set(*change.state->next, nodes_.at(change.value));
  for (const auto& node : body.nodes) nodes_.erase(node.get());
  return result;
}

std::vector<dlvm::Value*> BodyLowering::build(const Body& body, const check::Computation& computation) {
  build(body, computation.first, computation.last);
  std::vector<dlvm::Value*> values;
  for (const Node* value : computation.values) values.push_back(nodes_.at(value));
  return values;
}

// The sides of a choice or a match are built with it, not in their places before it. A choice that is not
// live has become a select of index notation, whose operands may stand where its sides were.
void BodyLowering::build(const Body& body, std::size_t first, std::size_t last) {
  std::vector<std::size_t> order;
  for (std::size_t i = last; i > first; --i) {
    const Node& node = *body.nodes[i - 1];
    if (!node.live) continue;
    order.push_back(i - 1);
    for (const std::size_t side : node.sides) i -= side;
  }
  for (auto i = order.rbegin(); i != order.rend(); ++i) {
    const Node& node = *body.nodes[*i];
    nodes_[&node] = node.kind == Node::Kind::choice  ? choice(body, *i)
                    : node.kind == Node::Kind::match ? match(body, *i)
                                                     : build(node);
  }
}

void BodyLowering::continue_in(dlvm::BasicBlock& block) { builder_ = dlvm::Builder(block); }

dlvm::BasicBlock& BodyLowering::add_block(std::string name) {
  return *builder_.function().add_block(std::move(name));
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

// A function that draws takes its key behind its own parameters, in front of the cotangent.
dlvm::Value* BodyLowering::derivative(const Node& node, std::vector<dlvm::Value*> operands) {
  const check::Derivative& derivative = *node.derivative;
  if (happens(node.callee->draws, training_))
    operands.insert(operands.end() - (derivative.syntax->seedable ? 1 : 0),
                    key_of_call(node.index, key_, builder_));
  dlvm::Value* all =
      builder_.apply(functions_.derivative_of(*node.callee, derivative, training_), std::move(operands));
  return derivative.results.size() > 1 ? all : builder_.extract(all, 0);
}

void BodyLowering::finish() { make_gradients(builder_.function(), gradients_, functions_); }

dlvm::Value* BodyLowering::made(const Node& node, std::vector<dlvm::Value*> values) {
  const dlvm::Type made = type(node.type);
  if (node.type.declared->is_structure()) return builder_.aggregate(made, std::move(values));
  const dlvm::Integers position{static_cast<std::int64_t>(node.index)};
  return builder_.create(dlvm::Opcode::literal, std::move(values), {made, position});
}

dlvm::Value* BodyLowering::build(const Node& node) {
  builder_.set_locations({node.location});
  const ElementType element = node.type.element.type;
  std::vector<dlvm::Value*> operands;
  for (const Node* each : node.operands)
    if (node.kind != Node::Kind::tree || operands.empty()) operands.push_back(operand(each));
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
    case Node::Kind::variable:
      return variables[node.index];
    case Node::Kind::part:
      return part(node, operands[0]);
    case Node::Kind::derivative:
      return derivative(node, std::move(operands));
    case Node::Kind::gradient:
      return gradient(node);
    case Node::Kind::choice:
    case Node::Kind::match:
      dlvm::internal_error("a choice is built with its sides");
    case Node::Kind::call:
      if (happens(node.callee->draws, training_)) operands.push_back(key_of_call(node.index, key_, builder_));
      return builder_.apply(functions_.of(*node.callee, training_), std::move(operands));
    case Node::Kind::made:
      return made(node, std::move(operands));
    case Node::Kind::tree:
      return builder_.create(dlvm::Opcode::load, {element_pointer(trees_.at(&node), operands[0])});
    case Node::Kind::child:
      return child(node, operands[0]);
    case Node::Kind::field:
      return builder_.extract(operands[0], static_cast<std::int64_t>(node.index));
    case Node::Kind::index:
    case Node::Kind::element:
    case Node::Kind::reduction:
      dlvm::internal_error("a value of one element was not lifted");
    case Node::Kind::operation:
      break;
  }
  std::vector<dlvm::Attribute> attributes = node.attributes;
  for (dlvm::Attribute& attribute : attributes)
    if (std::holds_alternative<ElementType>(attribute)) attribute = element;
  if (node.opcode == dlvm::Opcode::scatter)
    attributes[0] = dlvm::Combinator{dlvm::Opcode::add, functions_.replacement(element)};
  return builder_.create(node.opcode, std::move(operands), std::move(attributes));
}

}  // namespace frontend::lower
