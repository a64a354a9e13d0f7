#include "frontend/check/body.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "frontend/check/checker.h"
#include "frontend/check/spelling.h"
#include "frontend/check/type_diagnostics.h"

namespace frontend::check {

using ast::to;

namespace {

/// From the start of one place to the end of the other, where that is on the same line; else nowhere.
Location joined(Location first, const Location& last) {
  if (first.source != last.source || first.line != last.line || last.column < first.column) return {};
  first.length = last.column + last.length - first.column;
  return first;
}

}  // namespace

std::vector<Argument> arguments_of(const ast::Call& call) {
  std::vector<Argument> arguments;
  for (const auto& each : call.arguments)
    arguments.push_back(
        {each.name ? &*each.name : nullptr, each.value.get(), nullptr, false, each.value->location});
  return arguments;
}

Node* BodyChecker::expression(const ast::Expression& e, Hint hint) {
  Node* result = dispatch(e, hint);
  if (result != nullptr && !result->span.valid()) result->span = e.location;
  return result;
}

Node* BodyChecker::dispatch(const ast::Expression& e, Hint hint) {
  using Kind = ast::Expression::Kind;
  switch (e.kind) {
    case Kind::number:
      return number(to<ast::Number>(e));
    case Kind::boolean:
      return boolean(to<ast::Boolean>(e));
    case Kind::name:
      return name(to<ast::NameReference>(e));
    case Kind::member:
      return member(to<ast::Member>(e));
    case Kind::unary:
      return unary(to<ast::Unary>(e), hint);
    case Kind::binary:
      return binary(to<ast::Binary>(e), hint);
    case Kind::conditional:
      return conditional(to<ast::If>(e), hint);
    case Kind::call:
      return call(to<ast::Call>(e), hint);
    case Kind::pipe:
      return pipe(to<ast::Pipe>(e), hint);
    case Kind::index:
      return index(to<ast::Index>(e), hint);
    case Kind::as:
      return as(to<ast::As>(e), hint);
    case Kind::concatenation:
      return concatenation(to<ast::Concatenation>(e), hint);
    case Kind::matrix:
      return matrix(to<ast::Matrix>(e), hint);
    case Kind::transpose:
      return transpose(to<ast::Transpose>(e), hint);
    case Kind::shape:
      diagnostics_.report(shape_as_value, e.location);
      return nullptr;
  }
  return nullptr;
}

// ------------------------------------------------------------------------------------------------ values

Node* BodyChecker::add(Node node) {
  body_.nodes.push_back(std::make_unique<Node>(std::move(node)));
  return body_.nodes.back().get();
}

Node* BodyChecker::constant(Number value, Element element, Location location) {
  Node node;
  node.kind = Node::Kind::constant;
  node.type.element = element;
  node.location = location;
  node.values.push_back(std::move(value));
  return add(std::move(node));
}

Node* BodyChecker::operation(dlvm::Opcode opcode, std::vector<Node*> operands,
                             std::vector<dlvm::Attribute> attributes, Location location,
                             std::optional<Element> element) {
  std::vector<dlvm::Type> types;
  for (const Node* operand : operands) {
    if (operand == nullptr) return nullptr;
    // A variable stands as float32, which every rule takes.
    types.push_back(dlvm::Type::tensor(resolved(operand->type.element).type, operand->type.shape));
  }
  std::string why;
  const auto inferred = dlvm::infer_type(opcode, {types, attributes}, why);
  if (!inferred) {
    diagnostics_.report(unfit_operation, location, dlvm::definition(opcode).name, why);
    return nullptr;
  }
  Node node;
  node.opcode = opcode;
  node.location = location;
  node.type.shape = inferred->shape();
  if (element)
    node.type.element = *element;
  else if (operands.empty() || inferred->element() != types[0].element())
    node.type.element = inferred->element();
  else
    node.type.element = operands[0]->type.element;
  for (const Extent& extent : node.type.shape)
    if (!extent.valid()) {
      diagnostics_.report(extent_overflow, location);
      return nullptr;
    }
  node.operands = std::move(operands);
  node.attributes = std::move(attributes);
  return add(std::move(node));
}

Node* BodyChecker::extent_value(const Extent& extent, Location location, std::optional<Element> element) {
  const Element type = element ? *element : fresh_element();
  if (const auto value = extent.constant()) return constant(Number(*value), type, location);
  return operation(dlvm::Opcode::extent, {}, {Shape{extent}, ElementType::i64}, location, type);
}

Node* BodyChecker::reshape(Node* x, Shape shape, Location location) {
  if (x == nullptr || x->type.shape == shape) return x;
  return operation(dlvm::Opcode::shapeCast, {x}, {std::move(shape)}, location);
}

Node* BodyChecker::broadcast(Node* x, Shape shape, Location location) {
  if (x == nullptr || x->type.shape == shape) return x;
  if (x->is_constant() && x->values.size() == 1) {
    Node copy = *x;
    copy.type.shape = std::move(shape);
    return add(std::move(copy));
  }
  return operation(dlvm::Opcode::broadcast, {x}, {std::move(shape)}, location);
}

Node* BodyChecker::convert(Node* x, ElementType to, Location location) {
  if (x == nullptr) return nullptr;
  const Element from = resolved(x->type.element);
  if (!from.known() && !dlvm::is_boolean(to)) {
    unify(from, to);
    return x;
  }
  if (!from.known()) default_to(x, scope_->element());
  if (resolved(x->type.element).type == to) return x;
  return operation(dlvm::Opcode::dataTypeCast, {x}, {to}, location, Element(to));
}

// ------------------------------------------------------------------------------------------- expressions

Node* BodyChecker::number(const ast::Number& e) {
  if (!may_compute(0, e.location)) return nullptr;
  auto value = Number::parse(e.text);
  if (!value) {
    constexpr std::size_t longest = 24;
    diagnostics_.report(number_too_large, e.location,
                        e.text.size() <= longest ? e.text : e.text.substr(0, longest) + "...");
    return nullptr;
  }
  if (!may_compute(value->length(), e.location)) return nullptr;
  return constant(std::move(*value), fresh_element(), e.location);
}

Node* BodyChecker::boolean(const ast::Boolean& e) {
  return constant(Number(e.value ? 1 : 0), ElementType::boolean, e.location);
}

Node* BodyChecker::unary(const ast::Unary& e, Hint hint) {
  if (e.op == ast::UnaryOperator::logical_not)
    return unary(dlvm::Opcode::not_, expression(*e.operand), "not", e.op_location);
  Node* x = expression(*e.operand, hint);
  if (x != nullptr && x->is_constant() && x->type.is_scalar() && !resolved(x->type.element).known())
    return constant(-x->values[0], x->type.element, e.location);
  return unary(dlvm::Opcode::negate, x, "-", e.op_location);
}

Node* BodyChecker::binary(const ast::Binary& e, Hint hint) {
  const ast::BinaryOperator first = e.operators.front().op;
  const bool arithmetic = first >= ast::BinaryOperator::add;
  const auto known = [&](const Node* x) -> Hint {
    if (x != nullptr && resolved(x->type.element).known()) return resolved(x->type.element).type;
    return arithmetic ? hint : Hint();
  };
  if (e.right_associative()) {
    std::vector<Node*> operands;
    for (const auto& operand : e.operands)
      operands.push_back(expression(*operand, operands.empty() ? hint : known(operands[0])));
    Node* result = operands.back();
    for (std::size_t i = e.operators.size(); i-- > 0;)
      result = power(operands[i], result, e.operators[i].location);
    return result;
  }
  Node* result = expression(*e.operands[0], arithmetic ? hint : Hint());
  for (std::size_t i = 0; i < e.operators.size(); ++i) {
    Node* right = expression(*e.operands[i + 1], known(result));
    result = binary(e.operators[i].op, result, right, e.operators[i].location);
    if (result != nullptr && !result->span.valid())
      result->span = joined(e.operands[0]->location, e.operands[i + 1]->location);
  }
  return result;
}

Node* BodyChecker::pipe(const ast::Pipe& e, Hint hint) {
  Node* x = expression(*e.input, hint);
  for (const auto& stage : e.stages) {
    std::vector<Argument> arguments{{nullptr, nullptr, x, true, e.input->location}};
    const ast::Expression* callee = stage.get();
    if (const auto* written = ast::if_a<ast::Call>(*stage)) {
      callee = written->callee.get();
      std::ranges::copy(arguments_of(*written), std::back_inserter(arguments));
    } else if (stage->kind != ast::Expression::Kind::name && stage->kind != ast::Expression::Kind::member) {
      diagnostics_.report(pipe_into_value, stage->location);
      return nullptr;
    }
    x = call(*callee, std::move(arguments), stage->location, hint);
  }
  return x;
}

Node* BodyChecker::call(const ast::Call& e, Hint hint) {
  return call(*e.callee, arguments_of(e), e.location, hint);
}

}  // namespace frontend::check
