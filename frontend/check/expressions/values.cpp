#include "frontend/check/expressions/values.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/types/elements.h"

namespace frontend::check {

Node* add_node(BodyContext& context, Node node) {
  for (const Node* operand : node.operands) node.indexed = node.indexed || operand->indexed;
  context.body.nodes.push_back(std::make_unique<Node>(std::move(node)));
  return context.body.nodes.back().get();
}

Node* make_constant(BodyContext& context, Number value, Element element, Location location) {
  Node node;
  node.kind = Node::Kind::constant;
  node.type.element = element;
  node.location = location;
  node.values.push_back(std::move(value));
  return add_node(context, std::move(node));
}

Node* make_operation(BodyContext& context, dlvm::Opcode opcode, std::vector<Node*> operands,
                     std::vector<dlvm::Attribute> attributes, Location location,
                     std::optional<Element> element) {
  std::vector<dlvm::Type> types;
  for (const Node* operand : operands) {
    if (operand == nullptr) return nullptr;
    // A variable stands as float32, which every rule takes.
    types.push_back(dlvm::Type::tensor(resolved(context, operand->type.element).type, operand->type.shape));
  }
  std::string why;
  const auto inferred = dlvm::infer_type(opcode, {types, attributes}, why);
  if (!inferred) {
    context.diagnostics.report(unfit_operation, location, dlvm::definition(opcode).name, why);
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
      context.diagnostics.report(extent_overflow, location);
      return nullptr;
    }
  node.operands = std::move(operands);
  node.attributes = std::move(attributes);
  return add_node(context, std::move(node));
}

Node* make_extent_value(BodyContext& context, const Extent& extent, Location location,
                        std::optional<Element> element) {
  const Element type = element ? *element : fresh_element(context);
  if (const auto value = extent.constant()) return make_constant(context, Number(*value), type, location);
  return make_operation(context, dlvm::Opcode::extent, {}, {Shape{extent}, ElementType::i64}, location, type);
}

Node* make_reshape(BodyContext& context, Node* x, Shape shape, Location location) {
  if (x == nullptr || x->type.shape == shape) return x;
  return make_operation(context, dlvm::Opcode::shapeCast, {x}, {std::move(shape)}, location);
}

Node* make_broadcast(BodyContext& context, Node* x, Shape shape, Location location) {
  if (x == nullptr || x->type.shape == shape) return x;
  if (x->is_constant() && x->values.size() == 1) {
    Node copy = *x;
    copy.type.shape = std::move(shape);
    return add_node(context, std::move(copy));
  }
  return make_operation(context, dlvm::Opcode::broadcast, {x}, {std::move(shape)}, location);
}

Node* make_conversion(BodyContext& context, Node* x, ElementType to, Location location) {
  if (x == nullptr) return nullptr;
  const Element from = resolved(context, x->type.element);
  if (!from.known() && !dlvm::is_boolean(to)) {
    unify_elements(context, from, to);
    return x;
  }
  if (!from.known()) default_to(context, x, own_element(context));
  if (resolved(context, x->type.element).type == to) return x;
  return make_operation(context, dlvm::Opcode::dataTypeCast, {x}, {to}, location, Element(to));
}

}  // namespace frontend::check
