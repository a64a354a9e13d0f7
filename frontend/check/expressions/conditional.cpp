// `if c then a else b`: a choice of one side, or a select, elementwise.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "frontend/check/declarations/state_changes.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/expressions/declared_values.h"
#include "frontend/check/expressions/expression.h"
#include "frontend/check/expressions/operators.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/types/broadcast.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {

namespace {

/// The condition is bool; reports any other.
bool is_condition(BodyContext& context, Node* condition) {
  if (condition == nullptr) return false;
  if (unify_elements(context, condition->type.element, ElementType::boolean)) return true;
  auto& report = context.diagnostics.report(condition_not_bool, condition->location,
                                            spelling(type_of(context, condition)));
  if (condition->kind == Node::Kind::reference) explain_value(context, report, condition, "the condition");
  report.fix(fmt::format("compare it: {} != 0", quoted_operand(condition->place())));
  return false;
}

/// Moves those of the nodes from `first` on that compute `value` to position `to` before them. Returns how
/// many they are.
std::size_t move_computation(BodyContext& context, const Node* value, std::size_t first, std::size_t to) {
  auto& nodes = context.body.nodes;
  const auto at = [&](std::size_t i) { return nodes.begin() + static_cast<std::ptrdiff_t>(i); };
  std::unordered_set<const Node*> own{value};
  for (std::size_t i = nodes.size(); i-- > first;)
    if (own.contains(nodes[i].get())) own.insert(nodes[i]->operands.begin(), nodes[i]->operands.end());
  const auto end = std::stable_partition(at(first), nodes.end(),
                                         [&](const auto& node) { return own.contains(node.get()); });
  const auto count = static_cast<std::size_t>(end - at(first));
  std::rotate(at(to), at(first), end);
  return count;
}

/// A choice of two structs or enums, whose sides are computed as those of `make_conditional`.
Node* choose_declared(BodyContext& context, Node* condition, Node* a, Node* b, std::size_t first,
                      std::size_t middle, Location location) {
  b = require_declared(context, b, a->type.declared, "the other side of the 'if'", a->place());
  if (b == nullptr || !is_condition(context, condition)) return nullptr;
  if (!condition->type.is_scalar()) {
    context.diagnostics.report(scalar_wanted, condition->place(),
                               "a condition that chooses between structs or enums",
                               spelling(type_of(context, condition)));
    return nullptr;
  }
  Node node;
  node.kind = Node::Kind::choice;
  node.type = a->type;
  node.location = location;
  node.operands = {condition, a, b};
  node.sides = {middle - first, context.body.nodes.size() - middle};
  return add_node(context, std::move(node));
}

/// `if condition then a else b`, where `a` is computed by the nodes [first, middle) and `b` by those from
/// there to the end: a choice, if the condition is a scalar and a side is costly, else a select.
Node* make_conditional(BodyContext& context, Node* condition, Node* a, Node* b, std::size_t first,
                       std::size_t middle, Location location) {
  if (a != nullptr && b != nullptr && !(a->type.is_tensor() && b->type.is_tensor()))
    return choose_declared(context, condition, a, b, first, middle, location);
  auto& nodes = context.body.nodes;
  const bool costly = std::any_of(nodes.begin() + static_cast<std::ptrdiff_t>(first), nodes.end(),
                                  [](const auto& node) { return is_costly(*node); });
  if (condition == nullptr || a == nullptr || b == nullptr || !condition->type.is_scalar() || !costly)
    return make_select(context, condition, a, b, location);
  if (!is_condition(context, condition) || !require_same_element(context, a, b, "if", location))
    return nullptr;
  const std::size_t end = nodes.size();
  if (!align_shapes(context, a, b, "if", location)) return nullptr;
  std::string why;
  const auto joint = dlvm::broadcast_shapes(a->type.shape, b->type.shape, why);
  if (!joint) return nullptr;
  a = make_broadcast(context, a, *joint, location);
  b = make_broadcast(context, b, *joint, location);
  middle += move_computation(context, a, end, middle);
  Node node;
  node.kind = Node::Kind::choice;
  node.type = {a->type.element, *joint};
  node.location = location;
  node.operands = {condition, a, b};
  node.sides = {middle - first, nodes.size() - middle};
  return add_node(context, std::move(node));
}

}  // namespace

bool is_costly(const Node& x) {
  if (x.kind == Node::Kind::call) return x.callee->recursive || x.callee->branches;
  if (x.kind == Node::Kind::choice || x.kind == Node::Kind::match || x.kind == Node::Kind::gradient ||
      x.kind == Node::Kind::derivative)
    return true;
  if (x.kind != Node::Kind::operation) return false;
  switch (x.opcode) {
    case dlvm::Opcode::shapeCast:
    case dlvm::Opcode::padShape:
    case dlvm::Opcode::squeezeShape:
    case dlvm::Opcode::broadcast:
    case dlvm::Opcode::extent:
    case dlvm::Opcode::iota:
      return false;
    default:
      return !dlvm::definition(x.opcode).is(dlvm::Trait::elementwise);
  }
}

Node* check_conditional(BodyContext& context, const ast::If& e, Hint hint) {
  struct Branch {
    Node *condition, *value;
    std::size_t first, end;  ///< of the nodes that compute the value
  };
  std::vector<Branch> branches;
  const auto narrow = [&](const Node* value) {
    if (value != nullptr && resolved(context, value->type.element).known())
      hint = resolved(context, value->type.element).type;
  };
  std::optional<NoChange> no_change;
  for (const auto& branch : e.branches) {
    Node* condition = check_expression(context, *branch.condition);
    no_change.emplace(context, "in one side of an 'if'");
    const std::size_t first = context.body.nodes.size();
    Node* value = check_any_expression(context, *branch.value, hint);
    narrow(value);
    branches.push_back({condition, value, first, context.body.nodes.size()});
  }
  Node* result = check_any_expression(context, *e.otherwise, hint);
  for (std::size_t i = branches.size(); i-- > 0;) {
    const Branch& branch = branches[i];
    result = make_conditional(context, branch.condition, branch.value, result, branch.first, branch.end,
                              e.branches[i].location);
  }
  return result;
}

Node* make_select(BodyContext& context, Node* condition, Node* where_true, Node* where_false,
                  Location location) {
  if (!is_condition(context, condition) ||
      !require_same_element(context, where_true, where_false, "if", location))
    return nullptr;
  if (!align_shapes(context, where_true, where_false, "if", location)) return nullptr;
  Node* joined = condition;
  for (Node* side : {where_true, where_false})
    if (!align_shapes(context, side, joined, "if", location, "the value", "the condition")) return nullptr;
  return make_operation(context, dlvm::Opcode::select, {where_true, where_false, joined}, {}, location);
}

}  // namespace frontend::check
