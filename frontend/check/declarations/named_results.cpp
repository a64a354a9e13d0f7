#include "frontend/check/declarations/named_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/expressions/declared_values.h"
#include "frontend/check/expressions/expression.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/functions/local_values.h"

namespace frontend::check {
namespace {

/// Declares the struct of these values, whose fields have the names of the declaration.
DeclaredType& declare_type(Program& program, const Declaration& results, const std::vector<Node*>& values) {
  ast::TypeDeclaration& syntax = program.result_types.emplace_back();
  syntax.name = {results.name, results.location};
  DeclaredType& type = program.types.emplace_back();
  type.name = results.name;
  type.syntax = &syntax;
  type.scope = results.scope;
  type.used = true;
  const auto& names = results.syntax->names;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string name = names[i].text == "_" ? fmt::format("_{}", i) : names[i].text;
    syntax.members.push_back({{name, names[i].location}, {}});
    type.members.push_back({name, names[i].location, {values[i]->type}});
  }
  return type;
}

void check_results(Program& program, BodyContext& context, Declaration& results) {
  const ast::Declaration& syntax = *results.syntax;
  context.declaration = &results;
  context.recurrence = results.recurrence;
  context.several_allowed = true;
  Node* value = check_any_expression(context, *syntax.value);
  if (value == nullptr) return;
  results.has_several = has_several_results(*value);
  if (syntax.role_location.valid() && !results.has_several) return;
  const std::vector<Node*> values = values_for(context, value, syntax.names.size(), results.location);
  if (values.front() == nullptr) return;
  Node* all = make_structure(context, declare_type(program, results, values), values, value->location);
  if (!finish_body(context, all, own_element(context))) return;
  results.type = all->type;
  results.body = std::move(context.body);
}

}  // namespace

bool may_name_results(const ast::Declaration& syntax) {
  if (syntax.names.size() < 2 || !syntax.value || !syntax.indices.empty()) return false;
  if (!syntax.role_location.valid()) return true;
  const bool is_call =
      syntax.value->kind == ast::Expression::Kind::call || syntax.value->kind == ast::Expression::Kind::pipe;
  switch (syntax.role) {
    case ast::Role::hidden:
    case ast::Role::layer:
    case ast::Role::out:
    case ast::Role::loss:
    case ast::Role::metric:
      return is_call;
    default:
      return false;
  }
}

bool is_unused_result(const ast::Declaration& syntax, const ast::Name& name, dlvm::Diagnostics& diagnostics) {
  if (name.text != "_" || syntax.names.size() < 2) return false;
  if (may_name_results(syntax)) return true;
  std::string others;
  for (const ast::Name& each : syntax.names)
    if (each.text != "_") others += (others.empty() ? "" : ", ") + each.text;
  auto& report = diagnostics.report(unused_result_of_nothing, name.location);
  if (!others.empty())
    report.fix(fmt::format("leave it out: {}: {} ...", others, ast::spelling(syntax.role)));
  return true;
}

void share_results(Program& program, Declaration& results) {
  for (const ast::Name& name : results.syntax->names)
    results.name += (results.name.empty() ? "" : ".") + name.text;
  results.inner = true;
  results.used = true;
  results.make = [&program](BodyContext& context, Declaration& d) { check_results(program, context, d); };
}

bool names_results(const Declaration& declaration) {
  return declaration.results != nullptr && declaration.results->type.declared != nullptr;
}

Node* make_named_result(BodyContext& context, const Declaration& declaration) {
  const auto& names = declaration.syntax->names;
  const auto name = std::ranges::find(names, declaration.location, &ast::Name::location);
  return make_field(context, make_reference(context, *declaration.results, declaration.location), *name);
}

}  // namespace frontend::check
