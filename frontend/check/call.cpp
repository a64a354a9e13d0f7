// `f(x, along: 0)`, `layers.f(x)`: which function is meant.
#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <utility>

#include "frontend/check/body.h"
#include "frontend/check/builtins.h"
#include "frontend/check/lookup.h"
#include "frontend/check/name_diagnostics.h"
#include "frontend/check/spelling.h"
#include "frontend/support/other_languages.h"
#include "frontend/support/suggest.h"
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

}  // namespace

/// Returns what TEL writes for the call of a method, `x.sum(0)`, or of a function of a library, `np.exp(x)`;
/// empty where that is not known.
std::string BodyChecker::without_member(const ast::Member& callee, std::span<const Argument> arguments) {
  const std::string& name = callee.member.text;
  const ast::Expression* base = &*callee.object;
  while (const auto* qualified = ast::if_a<ast::Member>(*base)) base = &*qualified->object;  // `np.linalg`
  const auto* object = ast::if_a<ast::NameReference>(*base);
  const bool library = object != nullptr && !knows(object->text);
  std::string text = quoted_operand(callee.object->location);
  if (const auto* inner = ast::if_a<ast::Call>(*callee.object))
    if (const auto* member = ast::if_a<ast::Member>(*inner->callee)) {
      text = without_member(*member, arguments_of(*inner));
      if (text.empty()) return "";
    }
  const bool transposes = !library && name == "transpose";
  if (!transposes && is_callable(name)) return as_function(name, library ? "" : text, arguments);
  std::vector<std::string> all = written(arguments);
  if (!library) all.insert(all.begin(), text);
  return call_elsewhere(transposes ? "t" : name, all);
}

void BodyChecker::report_member(const ast::Member& callee, std::span<const Argument> arguments) {
  const auto* object = ast::if_a<ast::NameReference>(*callee.object);
  auto& report = object != nullptr && !knows(object->text)
                     ? diagnostics_.report(unknown_name_kind, object->location, object->text)
                     : diagnostics_.report(no_members, callee.member.location, callee.member.text);
  if (const std::string here = without_member(callee, arguments); !here.empty()) report.fix("write " + here);
}

Node* BodyChecker::value(Argument& argument, Hint hint) {
  if (!argument.checked) {
    argument.value = expression(*argument.expression, hint);
    argument.checked = true;
  }
  return argument.value;
}

Node* BodyChecker::call(const ast::Expression& callee, std::vector<Argument> arguments, Location location,
                        Hint hint) {
  std::string qualifier, name;
  if (const auto* plain = ast::if_a<ast::NameReference>(callee)) {
    name = plain->text;
  } else if (const auto* member = ast::if_a<ast::Member>(callee)) {
    const auto* object = ast::if_a<ast::NameReference>(*member->object);
    if (object == nullptr || find_import(*scope_, object->text) == nullptr) {
      report_member(*member, arguments);
      return nullptr;
    }
    qualifier = object->text;
    name = member->member.text;
  } else {
    diagnostics_.report(not_a_function, callee.location, "this expression");
    return nullptr;
  }
  const FoundFunctions found = find_functions(*scope_, qualifier, name, callee.location, diagnostics_);
  if (found.reported) return nullptr;
  if (!found.candidates.empty()) return call(found.candidates, name, arguments, location, hint);
  if (qualifier.empty())
    if (const Builtin* builtin = find_builtin(name, arguments))
      return call(*builtin, arguments, location, hint);

  if (!qualifier.empty()) {
    auto& report = diagnostics_.report(unknown_member, callee.location, qualifier, name);
    std::vector<std::string_view> candidates;
    for (const auto& [each, functions] : find_import(*scope_, qualifier)->functions)
      candidates.push_back(each);
    if (const auto near = closest(name, candidates); !near.empty())
      report.fix(fmt::format("did you mean '{}.{}'?", qualifier, near));
  } else if (const auto own = scope_->values.find(name); own != scope_->values.end()) {
    auto& report = diagnostics_.report(not_a_function, callee.location, fmt::format("'{}'", name));
    report.note(own->second->location, fmt::format("'{}' is declared here, a value", name));
    report.fix(fmt::format("a product is written {} * (...), an element {}[...]", name, name));
  } else if (const auto* later = syntax::unsupported_function(name)) {
    syntax::report_unsupported(*later, callee.location, diagnostics_);
  } else {
    auto& report = diagnostics_.report(unknown_function, callee.location, name);
    if (const std::string here = call_elsewhere(name, written(arguments)); !here.empty())
      report.fix("write " + here);
    else if (const auto near = closest(name, visible_functions(*scope_)); !near.empty())
      report.fix(fmt::format("did you mean '{}'?", near));
  }
  return nullptr;
}

}  // namespace frontend::check
