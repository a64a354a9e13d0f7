#include "frontend/check/functions/local_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "dlvm/support/suggest.h"
#include "frontend/check/declarations/declared_types.h"
#include "frontend/check/declarations/open_dimensions.h"
#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/diagnostics/statement_diagnostics.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/expressions/declared_values.h"
#include "frontend/check/expressions/expression.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/functions/locals.h"
#include "frontend/check/functions/signature.h"
#include "frontend/check/types/broadcast.h"
#include "frontend/check/types/declared_shape.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

const ast::Parameter* parameter_of(const BodyContext& context, std::string_view name) {
  if (context.instance == nullptr) return nullptr;
  const auto& parameters = context.instance->function->syntax->parameters;
  const auto found =
      std::ranges::find_if(parameters, [&](const ast::Parameter& each) { return each.name.text == name; });
  return found == parameters.end() ? nullptr : &*found;
}

bool is_state_of_net(const BodyContext& context, std::string_view name) {
  return context.net != nullptr &&
         std::ranges::any_of(context.net->members, [&](const NetType::Member& member) {
           return member.written->name == name && member.declaration != nullptr &&
                  member.declaration->is_state();
         });
}

ElementType element_declared(const BodyContext& context, const ast::Type& type) {
  if (type.element) return element_of(*type.element);
  return context.instance->generic.value_or(context.scope->element());
}

/// The value with the type that is written behind the name. The first value of a `var` is stretched to it.
Node* with_type(BodyContext& context, Node* value, const ast::Target& target, bool stretches) {
  const ast::Type& type = target.type;
  if (value == nullptr || !type.is_written()) return value;
  const std::string what = fmt::format("'{}'", target.name.text);
  if (type.declared || !value->type.is_tensor()) {
    const DeclaredType* wanted = type.declared ? check_declared(context, *type.declared) : nullptr;
    if (type.declared && wanted == nullptr) return nullptr;
    return require_declared(context, value, wanted, what, type.location);
  }
  const ElementType element = element_declared(context, type);
  if (!unify_elements(context, value->type.element, element)) {
    context.diagnostics
        .report(declared_element_differs, value->location, what, spelling(element),
                spelling(type_of(context, value)))
        .note(type.location, fmt::format("'{}' is declared {} here", target.name.text, spelling(element)))
        .fix(fmt::format("convert it: {}", converted(value->place(), element)));
    return nullptr;
  }
  if (!type.shape) return value;
  const auto pattern = check_pattern(context, *type.shape);
  if (!pattern) return nullptr;
  if (stretches && value->type.is_scalar() && !pattern->empty()) {
    Shape shape;
    for (const auto& extent : *pattern) {
      if (!extent) return conform(context, value, *pattern, type.location, what);
      shape.push_back(*extent);
    }
    return make_broadcast(context, value, std::move(shape), value->location);
  }
  return conform(context, value, *pattern, type.location, what);
}

void report_kept_type(BodyContext& context, const Variable& variable, const Node* value) {
  const Type own{resolved(context, variable.type.element), variable.type.shape, variable.type.declared};
  auto& report = context.diagnostics.report(variable_shape, value->location, variable.name, spelling(own),
                                            spelling(type_of(context, value)));
  report.note(variable.location, fmt::format("'{}' gets its type here", variable.name));
  if (!own.is_tensor() || !value->type.is_tensor()) return;
  const Element element = resolved(context, value->type.element);
  if (own.element.known() && element.known() && element.type != own.element.type)
    report.fix(fmt::format("convert it: {}", converted(value->place(), own.element.type)));
  else if (value->type.is_scalar())
    report.fix(fmt::format("broadcast({}, to: {})", quoted(value->place(), "..."), spelling(own.shape)));
  else if (own.is_scalar())
    report.fix(fmt::format("declare it with its shape: var {}: {} = {}", variable.name,
                           spelling(value->type.shape),
                           quoted(variable.location, "") == variable.name ? "0" : "..."));
}

/// Whether the variable has no declaration, and stands for a name that was assigned to.
bool stands_for_unknown(const Variable& variable) { return variable.name.empty(); }

}  // namespace

std::optional<std::size_t> declare(BodyContext& context, const ast::Name& name, Variable variable) {
  std::optional<Location> before;
  const auto known = context.locals->find(name.text);
  if (known && !stands_for_unknown(context.body.variables[*known]))
    before = context.body.variables[*known].location;
  else if (const ast::Parameter* parameter = parameter_of(context, name.text))
    before = parameter->name.location;
  if (before) {
    auto& report = context.diagnostics.report(declared_twice, name.location, name.text);
    report.note(*before, fmt::format("'{}' is declared here first", name.text));
    const auto local = context.locals->find(name.text);
    if (local && context.body.variables[*local].kind == Variable::Kind::var)
      report.fix(fmt::format("to give it another value, assign it: {} = ...", name.text));
    return std::nullopt;
  }
  if (knows_dimension(context, name.text)) {
    context.diagnostics.report(value_and_dimension, name.location, name.text);
    return std::nullopt;
  }
  variable.name = name.text;
  variable.location = name.location;
  const std::size_t index = context.body.variables.size();
  context.body.variables.push_back(std::move(variable));
  context.locals->declare(name.text, index);
  return index;
}

std::optional<std::size_t> assignable(BodyContext& context, const ast::Name& name) {
  if (const auto local = context.locals->find(name.text)) {
    const Variable& variable = context.body.variables[*local];
    if (variable.kind == Variable::Kind::var) return local;
    const bool counter = variable.kind == Variable::Kind::counter;
    auto& report = context.diagnostics.report(not_assignable, name.location, name.text,
                                              counter ? "the counter of a loop" : "a 'let'");
    report.note(variable.location, fmt::format("'{}' is declared here", name.text));
    report.fix(counter ? "count with a var of your own in a while loop"
                       : fmt::format("declare it with var: var {} = ...", name.text));
    return std::nullopt;
  }
  if (const ast::Parameter* parameter = parameter_of(context, name.text)) {
    context.diagnostics.report(not_assignable, name.location, name.text, "a parameter")
        .note(parameter->name.location, fmt::format("'{}' is declared here", name.text))
        .fix(fmt::format("copy it to a variable: var {0}_ = {0}", name.text));
    return std::nullopt;
  }
  if (knows_dimension(context, name.text)) {
    context.diagnostics.report(not_assignable, name.location, name.text, "a dimension");
    return std::nullopt;
  }
  std::vector<std::string_view> candidates = context.locals->names();
  auto& report = context.diagnostics.report(unknown_name_kind, name.location, name.text);
  if (is_state_of_net(context, name.text))
    report.fix(fmt::format("the next value of a state: {}' = ...", name.text));
  else if (const auto near = dlvm::closest(name.text, candidates); !near.empty())
    report.fix(fmt::format("did you mean '{}'?", near));
  else
    report.fix(fmt::format("declare it: let {0} = ..., or var {0} = ... where it gets other values later",
                           name.text));
  // The name is reported once. What is declared by it later is no second declaration.
  context.locals->declare(name.text, context.body.variables.size());
  Variable& unknown = context.body.variables.emplace_back();
  unknown.location = name.location;
  unknown.kind = Variable::Kind::var;
  unknown.failed = true;
  return std::nullopt;
}

void warn_of_unused(BodyContext& context, const std::vector<std::size_t>& variables) {
  if (context.diagnostics.has_errors()) return;  // what has a mistake may use them
  for (const std::size_t index : variables) {
    const Variable& variable = context.body.variables[index];
    if (variable.used || variable.failed) continue;
    const std::string_view role = variable.is_payload                    ? "payload"
                                  : variable.kind == Variable::Kind::let ? "let"
                                                                         : "var";
    auto& report = context.diagnostics.report(unused, variable.location, role, variable.name);
    if (variable.is_payload) report.fix("write _ in its place");
  }
}

std::vector<Node*> declared_values(BodyContext& context, const ast::Statement& s) {
  const bool stretches = s.kind == ast::Statement::Kind::var;
  const ast::Expression& e = *s.expressions[0];
  const auto hint = [&](const ast::Target& target) -> Hint {
    return target.type.element || target.type.shape ? Hint(element_declared(context, target.type)) : Hint();
  };
  if (s.targets.size() == 1)
    return {
        with_type(context, check_any_expression(context, e, hint(s.targets[0])), s.targets[0], stretches)};
  context.several_allowed = true;
  Node* value = check_any_expression(context, e);
  std::vector<Node*> values = values_for(context, value, s.targets.size(), s.targets[0].name.location);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = with_type(context, values[i], s.targets[i], stretches);
  return values;
}

std::vector<Node*> values_for(BodyContext& context, Node* value, std::size_t count, Location names) {
  if (value == nullptr) return std::vector<Node*>(count, nullptr);
  std::vector<Node*> values{value};
  if (has_several_results(*value)) values = parts_of(context, value);
  if (values.size() == count) return values;
  auto& report = context.diagnostics.report(result_count, names, counted(values.size(), "value"), count);
  if (value->callee != nullptr)
    report.note(value->callee->function->syntax->name.location,
                fmt::format("the function is {}", signature(*value->callee->function->syntax)));
  if (values.size() == 1)
    report.fix("one name takes one value");
  else
    report.fix(fmt::format("name {}: '_' stands for one that is not used", counted(values.size(), "result")));
  return std::vector<Node*>(count, nullptr);
}

Node* assigned_value(BodyContext& context, const ast::Expression& e, std::size_t index) {
  const auto own = [&]() -> const Variable& { return context.body.variables[index]; };
  const Element known = resolved(context, own().type.element);
  Node* value = check_any_expression(context, e, known.known() ? Hint(known.type) : Hint());
  if (value == nullptr || own().failed) return nullptr;
  const Type& type = own().type;
  const auto reported = [&]() -> Node* {
    report_kept_type(context, own(), value);
    return nullptr;
  };
  if (is_same_declared(value->type, type) && !type.is_tensor())
    return require_declared(context, value, type.declared, fmt::format("'{}'", own().name), own().location);
  if (value->type.declared != type.declared) return reported();
  if (!unify_elements(context, value->type.element, type.element)) return reported();
  if (value->type.rank() != type.rank()) return reported();
  for (std::size_t axis = 0; axis < type.rank(); ++axis)
    if (!require_equal(context, type.shape[axis], value->type.shape[axis],
                       fmt::format("axis {} of '{}' has extent {{left}}, and {{right}} in another value",
                                   axis, own().name),
                       value->location, [](dlvm::Diagnostic&) {}))
      return reported();
  return make_reshape(context, value, type.shape, value->location);
}

std::vector<Node*> parts_of(BodyContext& context, Node* call) {
  std::vector<Node*> parts;
  const std::vector<Type> types = result_types(*call);
  for (std::size_t i = 0; i < types.size(); ++i) {
    Node node;
    node.kind = Node::Kind::part;
    node.type = types[i];
    node.location = call->location;
    node.span = call->span;
    node.operands = {call};
    node.index = i;
    parts.push_back(add_node(context, std::move(node)));
  }
  return parts;
}

Node* check_condition(BodyContext& context, const ast::Expression& e) {
  Node* x = check_expression(context, e);
  if (x == nullptr) return nullptr;
  if (!unify_elements(context, x->type.element, ElementType::boolean)) {
    auto& report = context.diagnostics.report(condition_not_bool, x->location, spelling(type_of(context, x)));
    explain_value(context, report, x, "the condition");
    report.fix(fmt::format("compare it: {} != 0", quoted_operand(x->place())));
    return nullptr;
  }
  if (x->type.is_scalar()) return x;
  const std::string text = quoted(x->place(), "...");
  context.diagnostics
      .report(scalar_wanted, x->location, "the condition of a statement", spelling(type_of(context, x)))
      .fix(fmt::format(
          "all({0}), or any({0}); to choose for each element, an expression: if {0} then a else b", text));
  return nullptr;
}

Node* check_bound(BodyContext& context, const ast::Expression& e) {
  Node* x = check_expression(context, e, ElementType::i64);
  if (x == nullptr) return nullptr;
  const std::string text = quoted_operand(x->place());
  if (!x->type.is_scalar()) {
    context.diagnostics.report(scalar_wanted, x->location, "a bound", spelling(type_of(context, x)));
    return nullptr;
  }
  if (unify_elements(context, x->type.element, ElementType::i64)) return x;
  auto& report = context.diagnostics.report(bound_not_integer, x->location, spelling(type_of(context, x)));
  explain_value(context, report, x, "the bound");
  report.fix(fmt::format("convert it: {} as int64", text));
  return nullptr;
}

bool is_at_least_zero(const Node* x) {
  if (x == nullptr) return false;
  if (x->is_constant()) return x->values.size() == 1 && !x->values[0].is_negative();
  if (x->kind != Node::Kind::operation || x->opcode != dlvm::Opcode::extent) return false;
  const auto& extents = std::get<Shape>(x->attributes[0]);
  return dlvm::provably_at_most(Extent(0), extents[0]) == dlvm::Proof::yes;
}

}  // namespace frontend::check
