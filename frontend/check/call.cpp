// `f(x, along: 0)`, `layers.f(x)`: which function is meant.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontend/check/body.h"
#include "frontend/check/builtins.h"
#include "frontend/check/lookup.h"
#include "frontend/check/name_diagnostics.h"
#include "frontend/parse/unsupported.h"
#include "frontend/suggest.h"

namespace frontend::check {
namespace {

/// Names that functions have in other languages, and their names here.
constexpr std::pair<std::string_view, std::string_view> other_names[]{
    {"matmul", "a • b"},
    {"dot", "a • b"},
    {"pow", "a ^ b"},
    {"ln", "log(x)"},
    {"reshape", "x as [N x ?]"},
    {"cast", "x as float32"},
    {"concat", "[a, b] along 0"},
    {"concatenate", "[a, b] along 0"},
    {"cat", "[a, b] along 0"},
    {"arange", "iota(n)"},
    {"range", "iota(n)"},
    {"where", "if condition then a else b"},
    {"clamp", "min(max(x, low), high)"},
    {"clip", "min(max(x, low), high)"},
    {"var", "variance(x)"},
    {"prod", "product(x)"},
    {"flip", "reverse(x)"},
    {"detach", "stop_gradient(x)"},
};

}  // namespace

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
      if (object != nullptr && !scope_->values.contains(object->text))
        unknown_name(object->text, object->location);
      else
        diagnostics_.report(no_members, member->member.location, member->member.text);
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
    const auto elsewhere = std::find_if(std::begin(other_names), std::end(other_names),
                                        [&](const auto& other) { return other.first == name; });
    if (elsewhere != std::end(other_names))
      report.fix(fmt::format("write {}", elsewhere->second));
    else if (const auto near = closest(name, visible_functions(*scope_)); !near.empty())
      report.fix(fmt::format("did you mean '{}'?", near));
  }
  return nullptr;
}

}  // namespace frontend::check
