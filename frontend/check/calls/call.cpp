// `f(x, along: 0)`, `layers.f(x)`: which function is meant.
#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <utility>

#include "dlvm/support/suggest.h"
#include "frontend/check/calls/builtins.h"
#include "frontend/check/calls/call.h"
#include "frontend/check/declarations/nets.h"
#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/diagnostics/net_diagnostics.h"
#include "frontend/check/expressions/declared_values.h"
#include "frontend/check/expressions/expression.h"
#include "frontend/check/names/lookup.h"
#include "frontend/check/names/python_fix.h"
#include "frontend/check/recurrences/steps.h"
#include "frontend/check/types/spelling.h"
#include "frontend/python/translate.h"
#include "frontend/support/stdlib.h"

namespace frontend::check {
namespace {

void report_member(BodyContext& context, const ast::Member& callee) {
  const auto* object = ast::if_a<ast::NameReference>(*callee.object);
  auto& report = object != nullptr && !knows_name(context, object->text)
                     ? context.diagnostics.report(unknown_name_kind, object->location, object->text)
                     : context.diagnostics.report(no_members, callee.member.location, callee.member.text);
  add_translation(context, report, callee.member.location);
}

std::vector<std::string_view> callable_names(const BodyContext& context) {
  auto names = visible_functions(*context.scope);
  if (context.net == nullptr) return names;
  for (const auto& [name, functions] : context.net->net->functions) names.push_back(name);
  for (const NetType::Member& member : context.net->members)
    if (member.written->instance != nullptr) names.push_back(member.written->name);
  return names;
}

/// The value that is made, where the callee is a struct or the case of an enum; null after a mistake.
std::optional<Node*> check_constructor(BodyContext& context, const ast::Expression& callee,
                                       std::vector<Argument>& arguments, Location location) {
  const auto* name = ast::if_a<ast::NameReference>(callee);
  if (name != nullptr && context.scope->functions.contains(name->text)) return std::nullopt;
  const std::size_t errors = context.diagnostics.error_count();
  if (DeclaredType* type = named_type(context, callee)) {
    if (type->is_structure()) return make_structure(context, *type, arguments, location);
    report_type_as_value(context, *type, callee.location);
    return nullptr;
  }
  const auto* member = ast::if_a<ast::Member>(callee);
  DeclaredType* type = member != nullptr ? named_type(context, *member->object) : nullptr;
  if (context.diagnostics.error_count() != errors) return nullptr;  // two files have a type of that name
  if (type == nullptr) return std::nullopt;
  return make_case(context, *type, member->member, arguments, location);
}

/// Reports the call of an expression that is no name: `30(x + 1)`, `(a + b)(x)`.
void report_no_function(BodyContext& context, const ast::Expression& callee,
                        const std::vector<Argument>& arguments) {
  auto& report = context.diagnostics.report(not_a_function, callee.location, "this expression");
  if (context.locals != nullptr && !arguments.empty() &&
      arguments.front().location.line > callee.location.line)
    return void(report.fix(fmt::format("a statement does not begin with a parenthesis: return ({} ...)",
                                       quoted(arguments.front().location, ""))));
  const auto* call = ast::if_a<ast::Call>(callee);
  const auto* name = call != nullptr ? ast::if_a<ast::NameReference>(*call->callee) : nullptr;
  const bool is_parameter =
      name != nullptr && context.net != nullptr && context.net->nets.contains(name->text);
  if (is_parameter || (name != nullptr && known_net(*context.scope, name->text) != nullptr))
    return void(report.fix(fmt::format("'{}' is a net: declare an instance, layer: {}, and call that",
                                       name->text, quoted(callee.location, name->text + "(...)"))));
  if (add_translation(context, report, callee.location)) return;
  if (callee.kind == ast::Expression::Kind::number || callee.kind == ast::Expression::Kind::binary ||
      callee.kind == ast::Expression::Kind::index)
    report.fix(fmt::format("a product is written {} * (...)", quoted_operand(callee.location)));
}

}  // namespace

Node* argument_value(BodyContext& context, Argument& argument, Hint hint, bool declared_allowed) {
  if (!argument.checked) {
    argument.value = check_any_expression(context, *argument.expression, hint);
    argument.checked = true;
  }
  if (!declared_allowed) argument.value = require_tensor(context, argument.value);
  return argument.value;
}

Node* check_call(BodyContext& context, const ast::Expression& callee, std::vector<Argument> arguments,
                 Location location, Hint hint) {
  std::string qualifier, name;
  if (const auto made = check_constructor(context, callee, arguments, location)) return *made;
  if (const auto net = find_net(context, callee))
    return call_net(context, *net, std::move(arguments), location, hint);
  if (const auto* plain = ast::if_a<ast::NameReference>(callee)) {
    name = plain->text;
    if (context.net != nullptr && context.net->net->functions.contains(name)) {
      const NetPlace own = own_net(context);
      return call_net_function(context, own, {name, callee.location}, arguments, location, hint);
    }
  } else if (const auto* member = ast::if_a<ast::Member>(callee)) {
    if (const auto net = find_net(context, *member->object))
      return call_net_function(context, *net, member->member, arguments, location, hint);
    const auto* object = ast::if_a<ast::NameReference>(*member->object);
    if (object == nullptr || find_import(*context.scope, object->text) == nullptr) {
      report_member(context, *member);
      return nullptr;
    }
    qualifier = object->text;
    name = member->member.text;
  } else {
    const auto* index = ast::if_a<ast::Index>(callee);
    if (const auto net = index != nullptr ? find_net(context, *index->object) : std::nullopt)
      report_net_as_value(context, *net, index->object->location, index);
    else
      report_no_function(context, callee, arguments);
    return nullptr;
  }
  if (const auto derivative = context.scope->derivatives.find(name);
      qualifier.empty() && derivative != context.scope->derivatives.end())
    return check_derivative(context, *derivative->second, arguments, location, hint);
  const FoundFunctions found =
      find_functions(*context.scope, qualifier, name, callee.location, context.diagnostics);
  if (found.reported) return nullptr;
  if (!found.candidates.empty())
    return check_call(context, found.candidates, name, arguments, location, hint);
  if (qualifier.empty() && name == "sequence") return check_sequence(context, arguments, location);
  if (qualifier.empty() && name == "gradient") return check_gradient(context, arguments, location, hint);
  if (qualifier.empty())
    if (const Builtin* builtin = find_builtin(name, arguments))
      return check_call(context, *builtin, arguments, location, hint);

  if (!qualifier.empty()) {
    auto& report = context.diagnostics.report(unknown_member, callee.location, qualifier, name);
    std::vector<std::string_view> candidates;
    for (const auto& [each, functions] : find_import(*context.scope, qualifier)->functions)
      candidates.push_back(each);
    if (add_translation(context, report, callee.location)) return nullptr;
    if (const auto near = dlvm::closest(name, candidates); !near.empty())
      report.fix(fmt::format("did you mean '{}.{}'?", qualifier, near));
  } else if (const auto own = context.scope->values.find(name); own != context.scope->values.end()) {
    if (own->second->done && own->second->failed) return nullptr;  // which has been reported
    auto& report = context.diagnostics.report(not_a_function, callee.location, fmt::format("'{}'", name));
    report.note(own->second->location, fmt::format("'{}' is declared here, a value", name));
    const std::string written = arguments.size() == 1 ? quoted(arguments.front().location, "...") : "...";
    report.fix(fmt::format("a product is written {0} * ({1}), an element {0}[{1}]", name, written));
  } else if (context.net != nullptr && context.net->nets.contains(name)) {
    context.diagnostics.report(net_as_function, callee.location, name)
        .fix(fmt::format("declare an instance, and call that: layer: {}(...)", name));
  } else if (const Net* net = known_net(*context.scope, name)) {
    context.diagnostics.report(net_as_function, callee.location, name)
        .note(net->syntax->name.location, fmt::format("the net '{}' is declared here", name))
        .fix(fmt::format("declare an instance, and call that: layer: {}(...)", name));
  } else {
    auto& report = context.diagnostics.report(unknown_function, callee.location, name);
    const std::string_view module = library_module_with("func", name);
    if (module == "optimizers")
      return report.fix(
                 "it is for the declaration of an optimizer, as in optimize with adam(rate: 0.001 * "
                 "warmup(step, 100))"),
             nullptr;
    if (!module.empty()) return report.fix(advice_on_import(*context.scope, module)), nullptr;
    if (const auto layers = library_module_with("net", name); !layers.empty())
      return report.fix(
                 fmt::format("it is a net of the library: import {}, and layer: {}(...)", layers, name)),
             nullptr;
    if (add_translation(context, report, callee.location)) return nullptr;
    // What Python's libraries call so is no misspelling.
    const auto near = dlvm::closest(name, callable_names(context));
    if (!near.empty() && (!python::is_function(name) || near.size() == name.size()))
      report.fix(fmt::format("did you mean '{}'?", near),
                 dlvm::replacement(callee.location, std::string(near)));
  }
  return nullptr;
}

}  // namespace frontend::check
