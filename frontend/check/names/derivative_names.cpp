#include "frontend/check/names/derivative_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "dlvm/support/suggest.h"
#include "frontend/check/diagnostics/gradient_diagnostics.h"
#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/functions/signature.h"
#include "frontend/check/names/declared_twice.h"
#include "frontend/check/names/lookup.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

bool is_number(const ast::Name& name) { return std::isdigit(static_cast<unsigned char>(name.text[0])) != 0; }

/// Reports what only the derivative of a function has.
bool is_of_values(const ast::Gradient& syntax, dlvm::Diagnostics& diagnostics) {
  const auto report = [&](const std::string& word, Location at) {
    diagnostics.report(only_of_function, at, word, syntax.of.front().text);
    return false;
  };
  if (syntax.from) return report("from", syntax.from->location);
  if (syntax.seedable) return report("seedable", syntax.name.location);
  const auto number = std::ranges::find_if(syntax.keeping, is_number);
  return number == syntax.keeping.end() || report("keeping " + number->text, number->location);
}

bool is_differentiable(const ast::Parameter& parameter) {
  if (!parameter.is_value()) return false;
  const auto& element = parameter.type.element;
  return !element || (*element != ast::ElementType::any_integer && dlvm::is_floating(element_of(*element)));
}

void check_names(const ast::Gradient& syntax, const ast::Function& of, dlvm::Diagnostics& diagnostics) {
  const auto once = [&, seen = std::set<std::string_view>()](const ast::Name& name) mutable {
    if (!seen.insert(name.text).second) diagnostics.report(named_twice, name.location, name.text);
  };
  for (const ast::Name& name : syntax.wrt) {
    const auto found =
        std::ranges::find_if(of.parameters, [&](const auto& each) { return each.name.text == name.text; });
    if (found == of.parameters.end() || !is_differentiable(*found))
      diagnostics.report(no_parameter, name.location, of.name.text, name.text)
          .note(of.name.location, "the function is " + signature(of));
  }
  std::ranges::for_each(syntax.wrt, once);
  const auto check_result = [&](const ast::Name& number, std::string_view use) {
    const bool whole = number.text.find_first_not_of("0123456789") == std::string::npos;
    if (!whole || number.text.size() > 4 ||
        (!of.results.empty() && std::stoul(number.text) >= of.results.size()))
      diagnostics.report(no_result, number.location, of.name.text, number.text, use)
          .note(of.name.location, "the function is " + signature(of));
  };
  if (syntax.from) check_result(*syntax.from, "differentiate");
  for (const ast::Name& number : syntax.keeping)
    if (is_number(number))
      check_result(number, "keep");
    else
      diagnostics.report(no_result, number.location, of.name.text, number.text, "keep")
          .note(of.name.location, "the function is " + signature(of))
          .fix("results are numbered from 0: keeping 0");
  std::ranges::for_each(syntax.keeping, once);
}

void report_unknown(const Scope& scope, const ast::Name& of, dlvm::Diagnostics& diagnostics) {
  auto& report = diagnostics.report(unknown_name_kind, of.location, of.text);
  std::vector<std::string_view> names = visible_values(scope);
  for (const auto& [name, functions] : scope.functions) names.push_back(name);
  if (const auto near = dlvm::closest(of.text, names); !near.empty())
    report.fix(fmt::format("did you mean '{}'?", near));
}

/// Reports the gradient of an imported file that is not one of a function.
void report_imported(const Scope& scope, const ast::Gradient& syntax, dlvm::Diagnostics& diagnostics) {
  const ast::Name& of = syntax.of.front();
  const bool is_value = of.text.find('.') != std::string::npos ||
                        std::ranges::any_of(scope.syntax->declarations, [&](const ast::Declaration& each) {
                          return std::ranges::find(each.names, of.text, &ast::Name::text) != each.names.end();
                        });
  if (is_value || syntax.of.size() > 1)
    diagnostics.report(not_importable, syntax.name.location, scope.name, syntax.name.text, "an entry point");
  else
    report_unknown(scope, of, diagnostics);
}

void declare(Scope& scope, const ast::Gradient& syntax, dlvm::Diagnostics& diagnostics) {
  const ast::Name& of = syntax.of.front();
  const bool is_of_value = syntax.of.size() > 1 || scope.values.contains(of.text);
  dlvm::Diagnostics ignored;
  const auto found = find_functions(scope, "", of.text, of.location, ignored).candidates;
  if (!scope.main && (is_of_value || found.empty())) return report_imported(scope, syntax, diagnostics);
  if (is_of_value) return void(is_of_values(syntax, diagnostics));
  if (found.empty()) return;
  if (found.size() > 1) {
    auto& report = diagnostics.report(derivative_of_several, of.location, of.text);
    for (const Function* each : found) report.note(each->syntax->name.location, signature(*each->syntax));
  }
  for (Function* each : found) each->used = true;
  const ast::Name& name = syntax.name;
  if (const auto other = scope.functions.find(name.text); other != scope.functions.end())
    return void(report_declared_twice(name, other->second.front()->syntax->name.location, diagnostics));
  if (const auto other = scope.derivatives.find(name.text); other != scope.derivatives.end())
    return void(report_declared_twice(name, other->second->name.location, diagnostics));
  // After a mistake the name is known all the same, so that uses of it are not reported.
  scope.derivatives[name.text] = &syntax;
  if (found.size() == 1) check_names(syntax, *found.front()->syntax, diagnostics);
}

}  // namespace

void declare_derivatives(Program& program, dlvm::Diagnostics& diagnostics) {
  for (Scope& scope : program.scopes)
    for (const ast::Gradient& syntax : scope.syntax->gradients) declare(scope, syntax, diagnostics);
}

void report_unknown_derivatives(Program& program, dlvm::Diagnostics& diagnostics) {
  Scope& scope = program.main();
  for (const ast::Gradient& syntax : scope.syntax->gradients)
    for (const ast::Name& of : syntax.of) {
      const bool known = scope.values.contains(of.text) || scope.instances.contains(of.text) ||
                         of.text.find('.') != std::string::npos;
      if (known || scope.derivatives.contains(syntax.name.text)) continue;
      dlvm::Diagnostics ignored;
      if (find_functions(scope, "", of.text, of.location, ignored).candidates.empty())
        report_unknown(scope, of, diagnostics);
    }
}

}  // namespace frontend::check
