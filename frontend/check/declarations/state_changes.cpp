#include "frontend/check/declarations/state_changes.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/check/checker.h"
#include "frontend/check/declarations/structured_values.h"
#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/diagnostics/net_diagnostics.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/expressions/declared_values.h"
#include "frontend/check/expressions/expression.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/functions/statements.h"
#include "frontend/check/types/declared_shape.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

constexpr std::string_view recurrent_block = "in a recurrent block", behind_return = "behind a 'return'";

/// Returns why no state may change where the expression stands that is checked; empty where it may. What a
/// function computes on one of its ways only is no result of it.
std::string_view obstacle(const BodyContext& context) {
  if (!context.no_change.empty()) return context.no_change;
  if (context.constant) return "in a constant or an initial value";
  if (context.equation != nullptr) return "in index notation";
  const Declaration* d = context.declaration;
  if (context.recurrence != nullptr || (d != nullptr && d->recurrence != nullptr)) return recurrent_block;
  if (context.instance == nullptr) return d == nullptr ? "in an argument of an optimizer" : "";
  bool returned = false;
  for_each_statement(context.body.statements, [&](const Statement& each) {
    returned = returned || each.kind == Statement::Kind::result;
  });
  return returned ? behind_return : "";
}

std::string fix_of(std::string_view why, bool calls) {
  if (why == recurrent_block)
    return "carry the value from step to step: h: hidden = ... h[t-1] ..., or give the net the whole "
           "sequence "
           "behind the block";
  if (why == behind_return) return "move it in front of the first 'return'";
  return calls ? "call it before, on every way, and use its result here"
               : "compute the value on every way in a variable, and give it to the state once, behind them";
}

/// Reports a change where there can be none. Returns false then.
bool may_change(BodyContext& context, const StateChange& change, std::string_view name, bool calls) {
  const std::string_view why = obstacle(context);
  if (why.empty()) return true;
  auto& report = context.diagnostics.report(state_changes_here, change.location, name, why);
  report.fix(fix_of(why, calls));
  return false;
}

/// Notes the change. Returns false if there is another one of that state, which is reported.
bool add_change(BodyContext& context, const StateChange& change, std::string_view name, bool calls) {
  auto& all = context.body.changes;
  const auto same = std::ranges::find_if(all, [&](const StateChange& each) {
    return each.tensor == change.tensor && each.state == change.state;
  });
  const bool outside = same == all.end() && change.state != nullptr && change.state->next != nullptr;
  if (same == all.end() && !outside) {
    all.push_back(change);
    return true;
  }
  context.diagnostics.report(state_changes_twice, change.location, name)
      .note(outside ? change.state->next->location : same->location, "the other next value is given here")
      .fix(calls ? "each call of a net with states needs an instance of its own: first, second: NAME(...)"
                 : "compute it in a variable, and give it to the state once");
  return false;
}

/// Checks the next value of a state that is a struct or an enum, and gives each of its tensors one.
Node* check_structured_change(BodyContext& context, const Declaration& state, StateChange change,
                              const ast::Expression& value) {
  Node* whole = check_any_expression(context, value);
  if (whole == nullptr) return nullptr;
  whole = require_declared(context, whole, state.type_of_tensors, fmt::format("'{}''", state.name),
                           state.syntax->type.location);
  if (whole == nullptr) return nullptr;
  for (const Declaration* tensor : state.tensors) {
    if (!context.checker.ready(*const_cast<Declaration*>(tensor))) return nullptr;
    change.value = part_of(context, whole, tensor->fields);
    if (change.value == nullptr || !add_change(context, change, state.name, false)) return nullptr;
    ++change.tensor;
  }
  return whole;
}

/// Checks the next value of the state, of which `change` says all but the value. Returns null if it is
/// refused, which is reported.
Node* check_change(BodyContext& context, Declaration& state, StateChange change, const ast::Name& name,
                   const ast::Expression& value) {
  if (!may_change(context, change, name.text, false) || !context.checker.ready(state)) return nullptr;
  if (!state.tensors.empty()) return check_structured_change(context, state, change, value);
  Node* checked = check_expression(context, value, state.type.element.type);
  change.value = conform_to_state(context, checked, state, name.text + "'");
  Node* result = change.value;
  return result != nullptr && add_change(context, change, name.text, false) ? result : nullptr;
}

}  // namespace

Node* conform_to_state(BodyContext& context, Node* value, const Declaration& state, std::string_view name) {
  const ElementType element = state.type.element.type;
  const std::string what = fmt::format("'{}'", name);
  if (value != nullptr && !unify_elements(context, value->type.element, element)) {
    context.diagnostics
        .report(declared_element_differs, value->location, what, spelling(element),
                spelling(type_of(context, value)))
        .note(state.location, fmt::format("the state '{}' is {}", state.name, spelling(state.type)))
        .fix(fmt::format("convert it: {}", converted(value->place(), element)));
    return nullptr;
  }
  const ShapePattern shape(state.type.shape.begin(), state.type.shape.end());
  return conform(context, value, shape, state.location, what);
}

Node* check_state_change(BodyContext& context, const ast::Name& state, const ast::Expression& value) {
  const auto* member = context.net != nullptr ? context.net->member(state.text) : nullptr;
  Declaration* declaration = member != nullptr ? member->declaration : nullptr;
  if (declaration == nullptr || !declaration->is_state()) {
    auto& report =
        context.diagnostics.report(next_of_no_state, state.location, fmt::format("'{}'", state.text));
    if (member != nullptr)
      report.note(member->written->location, fmt::format("'{}' is declared here", state.text));
    else if (context.net != nullptr)
      report.fix(fmt::format("declare it in the net: {}: state[...] = 0", state.text));
    else
      report.fix("return the value, and give it to the state in the module: s' = f(x)");
    return nullptr;
  }
  member->written->used = true;
  const StateChange change{member->first, nullptr, nullptr, state.location};
  Node* next = check_change(context, *declaration, change, state, value);
  if (next == nullptr) context.refused_changes.push_back(member->first);
  return next;
}

Node* take_changes(BodyContext& context, Node* call, const NetPlace& net) {
  const Instance& callee = *call->callee;
  if (callee.body.changes.empty()) return call;
  const auto part = [&](std::size_t index, const Type& type) {
    Node node;
    node.kind = Node::Kind::part;
    node.type = type;
    node.location = call->location;
    node.operands = {call};
    node.index = index;
    return add_node(context, std::move(node));
  };
  for (std::size_t i = 0; i < callee.body.changes.size(); ++i) {
    const StateChange& inner = callee.body.changes[i];
    StateChange change{net.first + inner.tensor, nullptr, nullptr, call->location};
    std::string name = net.type->tensor(inner.tensor).name;
    if (net.root != nullptr) {
      change.state = net.root->tensors[change.tensor];
      name = change.state->name;
      if (!context.checker.ready(*change.state)) return nullptr;
    } else if (!net.name.empty()) {
      name = fmt::format("{}.{}", net.name, name);
    }
    if (!may_change(context, change, name, true)) return nullptr;
    change.value = part(callee.results.size() + i, inner.value->type);
    if (!add_change(context, change, name, true)) return nullptr;
  }
  return callee.results.size() > 1 ? call : part(0, callee.results.front());
}

std::optional<Node*> own_next_value(BodyContext& context, const ast::Next& e) {
  const auto* name = ast::if_a<ast::NameReference>(*e.operand);
  if (name == nullptr || context.instance == nullptr || context.net == nullptr) return std::nullopt;
  const auto* member = context.net->member(name->text);
  if (member == nullptr || member->declaration == nullptr || !member->declaration->is_state())
    return std::nullopt;
  if (std::ranges::count(context.refused_changes, member->first) > 0) return nullptr;
  const auto& all = context.body.changes;
  const auto next_of = [&](std::size_t number) {
    return std::ranges::find(all, member->first + number, &StateChange::tensor)->value;
  };
  const Declaration& state = *member->declaration;
  if (std::ranges::count(all, member->first, &StateChange::tensor) > 0)
    return state.tensors.empty() ? next_of(0)
                                 : make_of_tensors(context, *state.type_of_tensors, e.location, next_of);
  context.diagnostics.report(no_next_value, e.location, name->text)
      .note(member->written->location, fmt::format("'{}' is declared here", name->text))
      .fix(fmt::format("give it one before: {}' = ...", name->text));
  return nullptr;
}

namespace {

void return_values(std::vector<Statement>& statements, const std::vector<StateChange>& changes) {
  for (Statement& statement : statements) {
    if (statement.kind == Statement::Kind::result)
      for (const StateChange& change : changes) statement.computation.values.push_back(change.value);
    for (Statement::Branch& branch : statement.branches) return_values(branch.body, changes);
  }
}

}  // namespace

void return_changes(Body& body) { return_values(body.statements, body.changes); }

void Checker::declare_changes(Declaration& d) {
  for (const StateChange& change : d.body.changes) {
    Declaration& state = *change.state;
    Declaration& next = program_.declarations.emplace_back();
    next.name = state.name + "'";
    next.location = change.location;
    next.syntax = state.syntax;
    next.scope = state.scope;
    next.order = state.order;
    next.part = Declaration::Part::changed;
    next.of = &d;
    next.inner = next.done = true;
    next.type = state.type;
    next.state = &state;
    state.next = &next;
    program_.order.push_back(&next);
  }
}

void Checker::take_back_changes(Declaration& d) {
  for (const StateChange& change : d.body.changes) {
    const Declaration* next = change.state->next;
    if (next == nullptr || next->of != &d) continue;
    change.state->next = nullptr;
    places_.erase(next);
    program_.declarations.remove_if([&](const Declaration& each) { return &each == next; });
  }
}

}  // namespace frontend::check
