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
#include "frontend/check/types/spelling.h"
#include "frontend/support/other_languages.h"
#include "frontend/support/unsupported.h"

namespace frontend::check {
namespace {

/// The arguments as they are written, for a call in other words.
std::vector<std::string> written(std::span<const Argument> arguments) {
  std::vector<std::string> texts;
  for (const Argument& argument : arguments)
    texts.push_back((argument.name != nullptr ? argument.name->text + ": " : "") +
                    quoted_operand(argument.location));
  return texts;
}

/// Whether the second parameter of a function of this name says along which axes.
bool is_along_axes(std::string_view name) {
  return std::ranges::any_of(builtins(), [&](const Builtin& builtin) {
    return builtin.name == name && builtin.parameters.size() >= 2 && builtin.parameters[1].name == "along";
  });
}

/// `sum(x, along: 0)` for the method `x.sum(0)`, and `exp(x)` for `np.exp(x)`, where `object` is empty.
std::string as_function(std::string_view name, const std::string& object,
                        std::span<const Argument> arguments) {
  std::string call = object;
  for (const Argument& argument : arguments) {
    const bool axis = !object.empty() && &argument == arguments.data() && is_along_axes(name);
    call += fmt::format("{}{}{}", call.empty() ? "" : ", ",
                        argument.name != nullptr ? argument.name->text + ": "
                        : axis                   ? "along: "
                                                 : "",
                        quoted(argument.location, "..."));
  }
  return fmt::format("{}({})", name, call);
}

/// Returns what TEL writes for the call of a method, `x.sum(0)`, or of a function of a library, `np.exp(x)`;
/// empty where that is not known.
std::string without_member(BodyContext& context, const ast::Member& callee,
                           std::span<const Argument> arguments) {
  const std::string& name = callee.member.text;
  const ast::Expression* base = &*callee.object;
  while (const auto* qualified = ast::if_a<ast::Member>(*base)) base = &*qualified->object;  // `np.linalg`
  const auto* object = ast::if_a<ast::NameReference>(*base);
  const bool library = object != nullptr && !knows_name(context, object->text);
  std::string text = quoted_operand(callee.object->location);
  if (const auto* inner = ast::if_a<ast::Call>(*callee.object))
    if (const auto* member = ast::if_a<ast::Member>(*inner->callee)) {
      text = without_member(context, *member, arguments_of(*inner));
      if (text.empty()) return "";
    }
  const bool transposes = !library && name == "transpose";
  if (!transposes && is_callable(context, name)) return as_function(name, library ? "" : text, arguments);
  std::vector<std::string> all = written(arguments);
  if (!library) all.insert(all.begin(), text);
  return call_elsewhere(transposes ? "t" : name, all);
}

void report_member(BodyContext& context, const ast::Member& callee, std::span<const Argument> arguments) {
  const auto* object = ast::if_a<ast::NameReference>(*callee.object);
  auto& report = object != nullptr && !knows_name(context, object->text)
                     ? context.diagnostics.report(unknown_name_kind, object->location, object->text)
                     : context.diagnostics.report(no_members, callee.member.location, callee.member.text);
  if (const std::string here = without_member(context, callee, arguments); !here.empty())
    report.fix("write " + here);
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
  if (DeclaredType* type = named_type(context, callee)) {
    if (type->is_structure()) return make_structure(context, *type, arguments, location);
    report_type_as_value(context, *type, callee.location);
    return nullptr;
  }
  const auto* member = ast::if_a<ast::Member>(callee);
  DeclaredType* type = member != nullptr ? named_type(context, *member->object) : nullptr;
  if (type == nullptr) return std::nullopt;
  return make_case(context, *type, member->member, arguments, location);
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
      report_member(context, *member, arguments);
      return nullptr;
    }
    qualifier = object->text;
    name = member->member.text;
  } else {
    const auto* index = ast::if_a<ast::Index>(callee);
    if (const auto net = index != nullptr ? find_net(context, *index->object) : std::nullopt)
      report_net_as_value(context, *net, index->object->location);
    else
      context.diagnostics.report(not_a_function, callee.location, "this expression");
    return nullptr;
  }
  const FoundFunctions found =
      find_functions(*context.scope, qualifier, name, callee.location, context.diagnostics);
  if (found.reported) return nullptr;
  if (!found.candidates.empty())
    return check_call(context, found.candidates, name, arguments, location, hint);
  if (qualifier.empty())
    if (const Builtin* builtin = find_builtin(name, arguments))
      return check_call(context, *builtin, arguments, location, hint);

  if (!qualifier.empty()) {
    auto& report = context.diagnostics.report(unknown_member, callee.location, qualifier, name);
    std::vector<std::string_view> candidates;
    for (const auto& [each, functions] : find_import(*context.scope, qualifier)->functions)
      candidates.push_back(each);
    if (const auto near = dlvm::closest(name, candidates); !near.empty())
      report.fix(fmt::format("did you mean '{}.{}'?", qualifier, near));
  } else if (const auto own = context.scope->values.find(name); own != context.scope->values.end()) {
    auto& report = context.diagnostics.report(not_a_function, callee.location, fmt::format("'{}'", name));
    report.note(own->second->location, fmt::format("'{}' is declared here, a value", name));
    report.fix(fmt::format("a product is written {} * (...), an element {}[...]", name, name));
  } else if (const auto net = context.scope->nets.find(name); net != context.scope->nets.end()) {
    context.diagnostics.report(net_as_function, callee.location, name)
        .note(net->second->syntax->name.location, fmt::format("the net '{}' is declared here", name))
        .fix(fmt::format("declare an instance, and call that: layer: {}(...)", name));
  } else if (const auto* later = syntax::unsupported_function(name)) {
    syntax::report_unsupported(*later, callee.location, context.diagnostics);
  } else {
    auto& report = context.diagnostics.report(unknown_function, callee.location, name);
    if (const std::string here = call_elsewhere(name, written(arguments)); !here.empty())
      report.fix("write " + here);
    else if (const auto near = dlvm::closest(name, callable_names(context)); !near.empty())
      report.fix(fmt::format("did you mean '{}'?", near));
  }
  return nullptr;
}

}  // namespace frontend::check
