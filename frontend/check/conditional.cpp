// `if c then a else b`: a select, elementwise.
#include <fmt/format.h>

#include "frontend/check/body.h"
#include "frontend/check/spelling.h"
#include "frontend/check/type_diagnostics.h"

namespace frontend::check {

Node* BodyChecker::conditional(const ast::If& e, Hint hint) {
  std::vector<std::pair<Node*, Node*>> branches;
  const auto narrow = [&](const Node* value) {
    if (value != nullptr && resolved(value->type.element).known()) hint = resolved(value->type.element).type;
  };
  for (const auto& branch : e.branches) {
    Node* condition = expression(*branch.condition);
    Node* value = expression(*branch.value, hint);
    narrow(value);
    branches.emplace_back(condition, value);
  }
  Node* result = expression(*e.otherwise, hint);
  for (std::size_t i = branches.size(); i-- > 0;)
    result = select(branches[i].first, branches[i].second, result, e.branches[i].location);
  return result;
}

Node* BodyChecker::select(Node* condition, Node* where_true, Node* where_false, Location location) {
  if (condition != nullptr && !unify(condition->type.element, ElementType::boolean)) {
    auto& report = diagnostics_.report(condition_not_bool, condition->location, spelling(type_of(condition)));
    if (condition->kind == Node::Kind::reference) explain(report, condition, "the condition");
    report.fix(fmt::format("compare it: {} != 0", quoted_operand(condition->place())));
    return nullptr;
  }
  if (condition == nullptr || !same_element(where_true, where_false, "if", location)) return nullptr;
  if (!align(where_true, where_false, "if", location)) return nullptr;
  Node* joined = condition;
  for (Node* side : {where_true, where_false})
    if (!align(side, joined, "if", location, "the value", "the condition")) return nullptr;
  return operation(dlvm::Opcode::select, {where_true, where_false, joined}, {}, location);
}

}  // namespace frontend::check
