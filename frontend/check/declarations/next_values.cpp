// The next values of states: `s' = …`, and `s'` in expressions.
#include <fmt/format.h>

#include "frontend/check/body_context.h"
#include "frontend/check/checker.h"
#include "frontend/check/declarations/state_changes.h"
#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/diagnostics/net_diagnostics.h"
#include "frontend/check/expressions/expression.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {

namespace {

/// Returns whether the expression is a state of an instance of a net, or a field of one.
bool is_state_of_net(BodyContext& context, const ast::Expression& e) {
  const auto* place = ast::if_a<ast::Member>(e);
  for (; place != nullptr; place = ast::if_a<ast::Member>(*place->object)) {
    const auto net = find_net(context, *place->object);
    const auto* member = net && net->type != nullptr ? net->type->member(place->member.text) : nullptr;
    if (member != nullptr) return member->declaration != nullptr && member->declaration->is_state();
  }
  return false;
}

bool is_matrix(BodyContext& context, const ast::Expression& e) {
  const Node* value = check_any_expression(context, e);
  return value != nullptr && value->type.is_tensor() && value->type.shape.size() >= 2;
}

}  // namespace

/// A next value has the type of its state.
void Checker::check_next(Declaration& d, dlvm::Diagnostics& messages) {
  if (!ready(*d.state)) return;
  const Declaration& state = *d.state;
  const ElementType element = state.type.element.type;
  BodyContext context{*this, d.scope, nullptr, messages};
  context.declaration = &d;
  Node* value = check_expression(context, *d.syntax->value, element);
  value = conform_to_state(context, value, state, d.name);
  if (!finish_body(context, value, element)) return;
  d.type = value->type;
  d.body = std::move(context.body);
}

Node* check_next(BodyContext& context, const ast::Next& e) {
  if (const auto own = own_next_value(context, e)) return *own;
  const auto* name = ast::if_a<ast::NameReference>(*e.operand);
  const auto found = name == nullptr ? context.scope->values.end() : context.scope->values.find(name->text);
  if (found == context.scope->values.end() || context.instance != nullptr) {
    // What is wrong with the name, or with its use here, is a mistake without the `'` too.
    const Node* value = check_any_expression(context, *e.operand);
    if (value == nullptr) return nullptr;
    if (is_state_of_net(context, *e.operand)) {
      context.diagnostics.report(next_outside_net, e.location, quoted(e.operand->location, "this"))
          .fix("return it from a function of the net: return (y, s')");
      return nullptr;
    }
  }
  if (found == context.scope->values.end() || !found->second->is_state()) {
    const std::string written = quoted(e.operand->location, "this");
    auto& report = context.diagnostics.report(next_of_no_state, e.location, fmt::format("'{}'", written));
    if (found != context.scope->values.end())
      report.note(found->second->location, fmt::format("'{}' is declared here", name->text));
    if (is_matrix(context, *e.operand))
      report.fix(fmt::format("the transposed matrix is {}^T", written),
                 dlvm::replacement(e.location, written + "^T"));
    return nullptr;
  }
  Declaration& state = *found->second;
  if (state.next != nullptr) return make_reference(context, *state.next, e.location);
  context.diagnostics.report(no_next_value, e.location, state.name)
      .note(state.location, fmt::format("'{}' is declared here", state.name))
      .fix(fmt::format("give it one: {}' = ...", state.name));
  return nullptr;
}

}  // namespace frontend::check
