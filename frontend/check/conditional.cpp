// `if c then a else b`: a select, elementwise.
#include <fmt/format.h>

#include "frontend/check/broadcast.h"
#include "frontend/check/elements.h"
#include "frontend/check/expression.h"
#include "frontend/check/operators.h"
#include "frontend/check/spelling.h"
#include "frontend/check/type_diagnostics.h"
#include "frontend/check/values.h"

namespace frontend::check {

Node* check_conditional(BodyContext& context, const ast::If& e, Hint hint) {
  std::vector<std::pair<Node*, Node*>> branches;
  const auto narrow = [&](const Node* value) {
    if (value != nullptr && resolved(context, value->type.element).known())
      hint = resolved(context, value->type.element).type;
  };
  for (const auto& branch : e.branches) {
    Node* condition = check_expression(context, *branch.condition);
    Node* value = check_expression(context, *branch.value, hint);
    narrow(value);
    branches.emplace_back(condition, value);
  }
  Node* result = check_expression(context, *e.otherwise, hint);
  for (std::size_t i = branches.size(); i-- > 0;)
    result = make_select(context, branches[i].first, branches[i].second, result, e.branches[i].location);
  return result;
}

Node* make_select(BodyContext& context, Node* condition, Node* where_true, Node* where_false,
                  Location location) {
  if (condition != nullptr && !unify_elements(context, condition->type.element, ElementType::boolean)) {
    auto& report = context.diagnostics.report(condition_not_bool, condition->location,
                                              spelling(type_of(context, condition)));
    if (condition->kind == Node::Kind::reference) explain_value(context, report, condition, "the condition");
    report.fix(fmt::format("compare it: {} != 0", quoted_operand(condition->place())));
    return nullptr;
  }
  if (condition == nullptr || !require_same_element(context, where_true, where_false, "if", location))
    return nullptr;
  if (!align_shapes(context, where_true, where_false, "if", location)) return nullptr;
  Node* joined = condition;
  for (Node* side : {where_true, where_false})
    if (!align_shapes(context, side, joined, "if", location, "the value", "the condition")) return nullptr;
  return make_operation(context, dlvm::Opcode::select, {where_true, where_false, joined}, {}, location);
}

}  // namespace frontend::check
