// Names in expressions.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "dlvm/support/suggest.h"
#include "frontend/check/calls/builtins.h"
#include "frontend/check/calls/call.h"
#include "frontend/check/checker.h"
#include "frontend/check/declarations/declared_types.h"
#include "frontend/check/declarations/nets.h"
#include "frontend/check/declarations/outer_parts.h"
#include "frontend/check/declarations/scales.h"
#include "frontend/check/declarations/structured_roles.h"
#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/diagnostics/recurrence_diagnostics.h"
#include "frontend/check/expressions/declared_values.h"
#include "frontend/check/expressions/expression.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/functions/locals.h"
#include "frontend/check/index_notation/equation.h"
#include "frontend/check/names/lookup.h"
#include "frontend/check/names/python_fix.h"
#include "frontend/check/names/undeclared_operand.h"
#include "frontend/check/recurrences/steps.h"
#include "frontend/check/types/broadcast.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {

Node* make_reference(BodyContext& context, Declaration& declaration, Location location) {
  for (Declaration* each = &declaration; each != nullptr; each = each->of) each->used = true;
  if (const Declaration* user = context.declaration;
      user != nullptr && user->part == Declaration::Part::initial && declaration.of != nullptr &&
      declaration.of->recurrence == user->of->recurrence) {
    context.diagnostics.report(initial_in_step, location, declaration.name)
        .note(declaration.location, fmt::format("'{}' is declared here", declaration.name));
    return nullptr;
  }
  if (context.instance != nullptr && !declaration.is_computed_constant()) {
    auto& report = context.diagnostics.report(value_in_function, location, declaration.name);
    report.note(declaration.location, fmt::format("'{}' is declared here", declaration.name));
    report.fix(declaration.role() == ast::Role::param && context.instance->net == nullptr
                   ? "pass it as an argument, or declare both in a net"
                   : "pass it as an argument");
    return nullptr;
  }
  if (context.constant && !declaration.is_computed_constant()) {
    context.diagnostics.report(initializer_not_constant, location, declaration.name)
        .note(declaration.location, fmt::format("'{}' is declared here", declaration.name));
    return nullptr;
  }
  if (!context.checker.ready(declaration, location)) return nullptr;
  const bool is_of_step =
      declaration.part == Declaration::Part::last || declaration.part == Declaration::Part::earlier;
  if (is_of_step && !declaration.type.is_tensor() && declaration.tensors.empty()) {
    const DeclaredType& type = *declaration.type.declared;
    auto& report = context.diagnostics.report(declared_value_of_step, location, declaration.name,
                                              kind_of(type), type.name);
    report.note(declaration.location, fmt::format("'{}' is declared here", declaration.name));
    note_enum(report, type, declaration.of->name);
    if (const DeclaredType::Member* field = first_tensor(type); field != nullptr)
      report.fix(
          fmt::format("name its fields in the block: {0} = {1}.{0}", field->name, declaration.of->name));
    else if (is_numbered(type))
      report.fix(fmt::format("make a tensor of it in the block: case_of_{0} = match {0} {{ {1} => 0 ... }}",
                             declaration.of->name, type.members[0].name));
    return nullptr;
  }
  Node node;
  node.kind = Node::Kind::reference;
  node.type = declaration.type;
  node.location = location;
  node.declaration = &declaration;
  return scaled(context, declaration, add_node(context, std::move(node)),
                [&](const ast::NameReference& name) {
                  return make_reference(context, *find_scale(declaration, name), location);
                });
}

Node* make_variable(BodyContext& context, std::size_t index, Location location) {
  Variable& variable = context.body.variables[index];
  variable.used = true;
  if (variable.failed) return nullptr;
  Node node;
  node.kind = Node::Kind::variable;
  node.type = variable.type;
  node.location = location;
  node.index = index;
  return add_node(context, std::move(node));
}

namespace {

bool differs_in_case(std::string_view name, std::string_view other) {
  return std::ranges::equal(name, other, [](char a, char b) { return (a | 0x20) == (b | 0x20); });
}

/// A name of so few letters is near to many others, W1 to h1: where its declaration is likely, it is missing.
constexpr std::size_t shortest_misspelt = 2;

void report_unknown_name(BodyContext& context, const ast::NameReference& e) {
  const std::string& name = e.text;
  const Location location = e.location;
  if (is_callable(context, name)) {
    context.diagnostics.report(function_as_value, location, name).fix(fmt::format("call it: {}(...)", name));
    return;
  }
  if (const DeclaredType* type = find_type(*context.scope, name)) {
    report_type_as_value(context, *type, location);
    return;
  }
  if (find_import(*context.scope, name) != nullptr) {
    context.diagnostics.report(module_as_value, location, name);
    return;
  }
  auto candidates = visible_values(*context.scope);
  if (context.locals != nullptr) std::ranges::copy(context.locals->names(), std::back_inserter(candidates));
  for (const Recurrence* block = context.recurrence; block != nullptr; block = block->outer)
    for (const auto& [each, value] : block->values) candidates.push_back(each);
  if (context.instance != nullptr) {
    for (const ast::Parameter& parameter : context.instance->function->syntax->parameters)
      candidates.push_back(parameter.name.text);
    for (const auto& [dimension, extent] : context.instance->dimensions) candidates.push_back(dimension);
  }
  if (context.net != nullptr) {
    for (const NetType::Member& member : context.net->members) candidates.push_back(member.written->name);
    for (const auto& [dimension, extent] : context.net->dimensions) candidates.push_back(dimension);
  }
  if (context.equation != nullptr)
    for (const IndexVariable& index : context.equation->indices)
      if (index.visible) candidates.push_back(index.name);
  auto& report = context.diagnostics.report(unknown_name_kind, location, name);
  if (report.kind == nullptr) return;  // there is no room for it
  if (context.declaration != nullptr) std::erase(candidates, context.declaration->name);
  if (const Declaration* inside = context.checker.find_in_blocks(name))
    return void(report.note(inside->location, "it has a value in the steps of this recurrent block alone"));
  if (context.scope->nets.contains(name) || (context.net != nullptr && context.net->nets.contains(name)))
    return void(
        report.fix(fmt::format("'{0}' is a net: declare an instance, layer: {0}(...), and name that", name)));
  if (add_translation(context, report, location)) return;
  const auto near = dlvm::closest(name, candidates);
  const std::string declared = declaration_of_unknown(context, name, location);
  const bool is_index =
      (context.subscript == &e || (context.equation != nullptr && differs_in_case(name, near))) &&
      knows_dimension(context, std::string(near));
  const bool likely = !near.empty() && !is_index &&
                      (declared.empty() || name.size() > shortest_misspelt || differs_in_case(name, near));
  if (likely)
    report.fix(fmt::format("did you mean '{}'?", near), dlvm::replacement(location, std::string(near)));
  else if (context.equation != nullptr || (declared.empty() && context.subscript == &e))
    report.fix(fmt::format("an index is bound on the left, y[{0}] = ..., or in a reduction, sum(... for {0})",
                           name));
  else if (!declared.empty())
    report.fix(declared);
}

/// `x.T`, `x.shape`, `x.W`, where x is a tensor.
void report_attribute(BodyContext& context, const ast::Member& e, const Node* x) {
  const std::string& name = e.member.text;
  auto& report = context.diagnostics.report(no_members, e.member.location, name);
  if (name == "shape") explain_value(context, report, x, "the value");
  for (const Recurrence* block = context.recurrence; block != nullptr; block = block->outer)
    if (block->counter != nullptr && block->counter->name == name)
      return void(report.fix(fmt::format("the value of this step is {0}[{1}], or {0} alone",
                                         quoted(e.object->location, "x"), name)));
  if (add_translation(context, report, e.member.location)) return;
  if (name == "shape") {
    std::string extents;
    for (std::size_t axis = 0; axis < x->type.rank(); ++axis)
      if (const std::string extent = spelling(x->type.shape[axis]);
          x->type.shape[axis].constant() || knows_dimension(context, extent))
        extents += fmt::format("{}{} for axis {}", extents.empty() ? "" : ", ", extent, axis);
    if (!extents.empty()) report.fix("an extent is written by its name or number: " + extents);
  } else if (is_callable(context, name)) {
    report.fix(fmt::format("call the function: {}({})", name, quoted(e.object->location, "...")));
  } else if (knows_name(context, name)) {
    report.fix(fmt::format("the product of matrices: {} • {}", quoted_operand(e.object->location), name));
  }
}

/// `l.slope`, where l is a value.
Node* check_field(BodyContext& context, const ast::Member& e) {
  Node* x = check_any_expression(context, *e.object);
  if (x == nullptr) return nullptr;
  if (!x->type.is_tensor()) return make_field(context, x, e.member);
  report_attribute(context, e, x);
  return nullptr;
}

}  // namespace

Node* check_name(BodyContext& context, const ast::NameReference& e) {
  if (Node* index = check_index_name(context, e)) return index;
  if (context.locals != nullptr)
    if (const auto local = context.locals->find(e.text)) return make_variable(context, *local, e.location);
  if (context.instance != nullptr) {
    std::size_t index = 0;
    for (const ast::Parameter& parameter : context.instance->function->syntax->parameters) {
      if (!parameter.is_value()) continue;
      if (parameter.name.text == e.text) {
        Node node;
        node.kind = Node::Kind::parameter;
        node.type = context.instance->parameters[index];
        node.location = e.location;
        node.index = index;
        context.instance->function->used_parameters.insert(e.text);
        return add_node(context, std::move(node));
      }
      ++index;
    }
    if (const auto axis = context.instance->axes.find(e.text); axis != context.instance->axes.end())
      return make_constant(context, Number(axis->second), fresh_element(context), e.location);
    if (const auto flag = context.instance->flags.find(e.text); flag != context.instance->flags.end())
      return make_constant(context, Number(flag->second ? 1 : 0), ElementType::boolean, e.location);
    if (const auto extent = context.instance->dimensions.find(e.text);
        extent != context.instance->dimensions.end())
      return make_extent_value(context, extent->second, e.location);
  }
  if (Declaration* value = find_in_steps(context, e.text))
    return make_step_value(context, *value, e.location);
  if (const auto net = find_net(context, e)) {
    report_net_as_value(context, *net, e.location);
    return nullptr;
  }
  if (const auto own = check_own_member(context, e)) return *own;
  if (context.net != nullptr)
    if (const auto extent = context.net->dimensions.find(e.text); extent != context.net->dimensions.end())
      return make_extent_value(context, extent->second, e.location);
  if (const auto own = context.scope->values.find(e.text); own != context.scope->values.end())
    return make_reference(context, *own->second, e.location);
  if (context.scope->dimensions.contains(e.text) ||
      context.checker.is_imported_dimension(*context.scope, e.text)) {
    const auto extent =
        context.checker.dimension(*context.scope, e.text, e.location, false, context.diagnostics);
    return extent ? make_extent_value(context, *extent, e.location) : nullptr;
  }
  const FoundValue imported = find_imported_value(*context.scope, e.text, e.location, context.diagnostics);
  if (imported.reported) return nullptr;
  if (imported.value != nullptr) return make_reference(context, *imported.value, e.location);
  if (e.text == "training") {
    if (context.instance != nullptr) context.instance->depends_on_training = true;
    Node node;
    node.kind = Node::Kind::training;
    node.type.element = ElementType::boolean;
    node.location = e.location;
    return add_node(context, std::move(node));
  }
  if (e.text == "step" && context.step != nullptr) return make_reference(context, *context.step, e.location);
  report_unknown_name(context, e);
  return nullptr;
}

bool is_callable(BodyContext& context, const std::string& name) {
  dlvm::Diagnostics ignored;
  return find_builtin(name) != nullptr || name == "gradient" || context.scope->derivatives.contains(name) ||
         !find_functions(*context.scope, "", name, {}, ignored).candidates.empty();
}

bool knows_name(const BodyContext& context, const std::string& name) {
  const auto is_name = [&](const ast::Parameter& parameter) { return parameter.name.text == name; };
  return find_in_steps(context, name) != nullptr || context.scope->values.contains(name) ||
         knows_dimension(context, name) || context.scope->instances.contains(name) ||
         (context.net != nullptr && context.net->member(name) != nullptr) ||
         (context.locals != nullptr && context.locals->find(name)) ||
         (context.instance != nullptr &&
          std::ranges::any_of(context.instance->function->syntax->parameters, is_name));
}

Node* check_member(BodyContext& context, const ast::Member& e) {
  const std::size_t errors = context.diagnostics.error_count();
  if (const DeclaredType* type = named_type(context, e)) {
    report_type_as_value(context, *type, e.location);
    return nullptr;
  }
  if (DeclaredType* type = named_type(context, *e.object)) {
    std::vector<Argument> none;
    return make_case(context, *type, e.member, none, e.location);
  }
  if (context.diagnostics.error_count() != errors) return nullptr;  // two files have a type of that name
  if (const auto net = find_net(context, e)) {
    report_net_as_value(context, *net, e.location);
    return nullptr;
  }
  if (const auto net = find_net(context, *e.object)) return check_net_member(context, *net, e);
  const auto* object = ast::if_a<ast::NameReference>(*e.object);
  Scope* import = object != nullptr && !context.scope->values.contains(object->text)
                      ? find_import(*context.scope, object->text)
                      : nullptr;
  if (import == nullptr) {
    if (object != nullptr && !knows_name(context, object->text))
      report_unknown_name(context, *object);
    else
      return check_field(context, e);
    return nullptr;
  }
  if (const auto found = import->values.find(e.member.text); found != import->values.end())
    return make_reference(context, *found->second, e.location);
  if (import->dimensions.contains(e.member.text)) {
    const auto extent =
        context.checker.dimension(*import, e.member.text, e.member.location, false, context.diagnostics);
    return extent ? make_extent_value(context, *extent, e.location) : nullptr;
  }
  if (import->functions.contains(e.member.text)) {
    const std::string whole = import->name + "." + e.member.text;
    context.diagnostics.report(function_as_value, e.location, whole)
        .fix(fmt::format("call it: {}(...)", whole));
    return nullptr;
  }
  std::vector<std::string_view> candidates;
  for (const auto& [name, value] : import->values) candidates.push_back(name);
  for (const auto& [name, functions] : import->functions) candidates.push_back(name);
  auto& report = context.diagnostics.report(unknown_member, e.member.location, import->name, e.member.text);
  if (const auto near = dlvm::closest(e.member.text, candidates); !near.empty())
    report.fix(fmt::format("did you mean '{}.{}'?", import->name, near));
  return nullptr;
}

}  // namespace frontend::check
