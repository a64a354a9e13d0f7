// Values of one element to tensors: numbers, operations, calls.
#include "frontend/check/index_notation/lift.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontend/check/diagnostics/custom_gradient_diagnostics.h"
#include "frontend/check/diagnostics/index_diagnostics.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/index_notation/lifter.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

using dlvm::Integers;
using dlvm::Opcode;

constexpr std::size_t call_depth_limit = 200;
constexpr std::size_t inlined_limit = 100'000;

bool is_of_elements(Opcode opcode) {
  const auto& definition = dlvm::definition(opcode);
  return definition.is(dlvm::Trait::elementwise) || opcode == Opcode::dataTypeCast ||
         opcode == Opcode::detach || opcode == Opcode::checkIndex;
}

}  // namespace

bool contains(const Labels& labels, Label label) { return std::ranges::find(labels, label) != labels.end(); }

Labels joined(const Labels& a, const Labels& b) {
  const auto covers = [](const Labels& whole, const Labels& part) {
    return std::ranges::all_of(part, [&](Label label) { return contains(whole, label); });
  };
  if (covers(a, b)) return a;
  if (covers(b, a)) return b;
  Labels all = a;
  for (const Label label : b)
    if (!contains(all, label)) all.push_back(label);
  std::ranges::sort(all);
  return all;
}

Extent Lifter::extent_of(Label label) const {
  return label < first_window ? *equation_.indices[label].extent : window_extents_.at(label);
}

Shape Lifter::extents_of(const Labels& labels) const {
  Shape shape;
  for (const Label label : labels) shape.push_back(extent_of(label));
  return shape;
}

Node* Lifter::operation(Opcode opcode, std::vector<Node*> operands, std::vector<dlvm::Attribute> attributes,
                        Location location, std::optional<Element> element) {
  Node* node =
      make_operation(context_, opcode, std::move(operands), std::move(attributes), location, element);
  if (node != nullptr) node->lifted = true;
  return node;
}

Node* Lifter::transposed(const Lifted& x, const Labels& labels, Location location) {
  if (x.node == nullptr || x.labels == labels) return x.node;
  Integers order;
  for (const Label label : labels) order.push_back(std::ranges::find(x.labels, label) - x.labels.begin());
  return operation(Opcode::transpose, {x.node}, {std::move(order)}, location);
}

Node* Lifter::aligned(const Lifted& x, const Labels& labels, Location location) {
  if (x.node == nullptr || x.labels.empty() || x.labels == labels) return x.node;
  Labels present;
  Shape shape;
  for (const Label label : labels) {
    const bool has = contains(x.labels, label);
    if (has) present.push_back(label);
    if (has || !shape.empty()) shape.push_back(has ? extent_of(label) : Extent(1));
  }
  return make_reshape(context_, transposed(x, present, location), std::move(shape), location);
}

Node* Lifter::with_axes(const Lifted& x, const Labels& axes, Location location) {
  return make_broadcast(context_, aligned(x, axes, location), extents_of(axes), location);
}

Lifted Lifter::combined(Opcode opcode, const Lifted& a, const Lifted& b, Location location) {
  const Labels labels = joined(a.labels, b.labels);
  Node* left = aligned(a, labels, location);
  Node* right = aligned(b, labels, location);
  return {operation(opcode, {left, right}, {}, location), labels};
}

Lifted Lifter::lift_index(const Node& node) {
  const IndexVariable& index = equation_.indices[node.index];
  const Element element = node.type.element;
  Node* values = operation(Opcode::iota, {}, {Shape{*index.extent}, Integers{0}, ElementType::f32},
                           node.location, element);
  if (!index.first.is(0))
    values =
        operation(Opcode::add, {values, make_extent_value(context_, index.first, node.location, element)}, {},
                  node.location);
  return {values, {node.index}};
}

Lifted Lifter::not_one_element(const Node& node) {
  const std::string what = quoted(node.place(), "this value");
  auto& report = context_.diagnostics.report(
      not_of_elements, node.place(),
      node.type.shape.empty() ? what
                              : fmt::format("a tensor {} made of {}", spelling(node.type.shape), what));
  if (call_.valid()) report.note(call_, "in a function that is called for each element here");
  return broken();
}

Lifted Lifter::operation(const Node& node, const std::vector<Lifted>& operands) {
  const bool scalars = node.type.is_scalar() && std::ranges::all_of(node.operands, [](const Node* operand) {
                         return operand->type.is_scalar();
                       });
  if (!scalars || !is_of_elements(node.opcode)) return not_one_element(node);
  // Indices that are compared with each other alone: float64 holds all of them, and fractions.
  if (dlvm::definition(node.opcode).is(dlvm::Trait::comparison))
    for (Node* operand : node.operands) default_to(context_, operand, ElementType::f64);
  Labels labels;
  for (const Lifted& operand : operands) labels = joined(labels, operand.labels);
  std::vector<Node*> values;
  for (const Lifted& operand : operands) values.push_back(aligned(operand, labels, node.location));
  Node* result = operation(node.opcode, std::move(values), node.attributes, node.location, node.type.element);
  if (result != nullptr) result->span = node.span;
  return {result, labels};
}

// The body of the function in the place of the call.
Lifted Lifter::call(const Node& node, const std::vector<Lifted>& arguments, std::size_t depth) {
  const Instance& callee = *node.callee;
  if (callee.function->custom_gradient != nullptr) {
    auto& report = context_.diagnostics.report(custom_of_element, depth == 0 ? node.place() : call_,
                                               callee.function->name());
    report.note(callee.function->custom_gradient->syntax->name.location,
                "the custom gradient is declared here");
    return broken();
  }
  if (callee.draws != Draws::never) {
    context_.diagnostics.report(draw_of_element, depth == 0 ? node.place() : call_, callee.function->name())
        .fix("draw a tensor before, normal(0, 1, to: [...]), and use its elements");
    return broken();
  }
  const auto matches = [](const auto& each) { return each->live && each->kind == Node::Kind::match; };
  if (std::ranges::any_of(callee.body.nodes, matches)) return not_one_element(node);
  inlined_ += callee.body.nodes.size();
  if (depth > call_depth_limit || inlined_ > inlined_limit) {
    const Location place = depth == 0 ? node.place() : call_;
    context_.diagnostics.report(element_takes_long, place,
                                depth > call_depth_limit
                                    ? counted(call_depth_limit, "call") + " inside each other"
                                    : counted(inlined_limit, "operation"));
    return broken();
  }
  if (depth == 0) call_ = node.place();
  Lifts lifts;
  std::unordered_map<std::size_t, Lifted> variables;
  for (const Statement& statement : callee.body.statements) {
    const bool returns = statement.kind == Statement::Kind::result;
    if (!returns && statement.kind != Statement::Kind::assignment) return not_one_element(node);
    const Computation& computation = statement.computation;
    for (std::size_t i = computation.first; i < computation.last; ++i) {
      const Node& each = *callee.body.nodes[i];
      if (each.live && !lift_in_call(each, arguments, variables, lifts, depth)) return broken();
    }
    if (returns) {
      if (depth == 0) call_ = {};
      return lifts.at(computation.values.front());
    }
    for (std::size_t i = 0; i < computation.values.size(); ++i)
      if (computation.values[i]->live) variables[statement.variables[i]] = lifts.at(computation.values[i]);
  }
  return broken();
}

namespace {

/// A value that a function computes of tensors alone.
bool is_of_whole_tensors(const Node& node) {
  return node.kind == Node::Kind::part || node.kind == Node::Kind::gradient ||
         node.kind == Node::Kind::derivative;
}

}  // namespace

bool Lifter::lift_in_call(const Node& node, const std::vector<Lifted>& arguments,
                          const std::unordered_map<std::size_t, Lifted>& variables, Lifts& lifts,
                          std::size_t depth) {
  std::vector<Lifted> operands;
  bool depends = false;
  for (const Node* operand : node.operands) {
    operands.push_back(lifts.at(operand));
    depends = depends || !operands.back().labels.empty();
  }
  Lifted& lifted = lifts[&node];
  if (node.kind == Node::Kind::parameter) {
    lifted = arguments[node.index];
  } else if (node.kind == Node::Kind::variable) {
    lifted = variables.at(node.index);
  } else if (node.kind == Node::Kind::choice) {
    lifted = choice(node, operands);
  } else if (is_of_whole_tensors(node) && depends) {
    lifted = not_one_element(node);
  } else if (!depends) {
    Node copy = node;
    copy.live = false;
    for (std::size_t i = 0; i < operands.size(); ++i) copy.operands[i] = operands[i].node;
    lifted = {add_node(context_, std::move(copy)), {}};
  } else {
    lifted = node.kind == Node::Kind::call ? call(node, operands, depth + 1) : operation(node, operands);
  }
  return lifted.node != nullptr;
}

// Of tensors both sides are computed.
Lifted Lifter::choice(const Node& node, const std::vector<Lifted>& operands) {
  Node select = node;
  select.kind = Node::Kind::operation;
  select.opcode = Opcode::select;
  select.operands = {node.operands[1], node.operands[2], node.operands[0]};
  return operation(select, {operands[1], operands[2], operands[0]});
}

Lifted Lifter::lift_node(Node* node, Lifts& lifts) {
  if (!node->indexed) return {node, {}};
  if (node->kind == Node::Kind::index) return lift_index(*node);
  if (node->kind == Node::Kind::element) return access(*node, lifts);
  std::vector<Lifted> operands;
  for (const Node* operand : node->operands) {
    operands.push_back(lifts.at(operand));
    if (operands.back().node == nullptr) return broken();
  }
  if (node->kind == Node::Kind::choice) return choice(*node, operands);
  if (is_of_whole_tensors(*node)) return not_one_element(*node);
  return node->kind == Node::Kind::call ? call(*node, operands, 0) : operation(*node, operands);
}

// By a stack of our own: a chain of operators may be as long as the declaration.
Lifted Lifter::lift(Node* element, Lifts& lifts) {
  std::vector<Node*> stack{element};
  while (!stack.empty()) {
    Node* top = stack.back();
    if (lifts.contains(top)) {
      stack.pop_back();
      continue;
    }
    if (top->kind == Node::Kind::reduction) {
      const Lifted result = reduction(*top, lifts);
      lifts[top] = result;
      continue;
    }
    const std::size_t height = stack.size();
    if (top->indexed)
      for (Node* operand : top->operands)
        if (!lifts.contains(operand)) stack.push_back(operand);
    if (stack.size() != height) continue;
    stack.pop_back();
    const Lifted result = lift_node(top, lifts);
    lifts[top] = result;
  }
  return lifts.at(element);
}

Node* lift(BodyContext& context, const Equation& equation, Node* element, const std::vector<IndexId>& axes,
           Location location) {
  const bool failed = context.diagnostics.has_errors();
  Lifter lifter(context, equation);
  const Lifted result = lifter.lift(element);
  if (result.node == nullptr || (!failed && context.diagnostics.has_errors())) return nullptr;
  Node* tensor = lifter.with_axes(result, axes, location);
  if (tensor != nullptr && tensor->lifted) tensor->location = tensor->span = location;
  return tensor;
}

}  // namespace frontend::check
