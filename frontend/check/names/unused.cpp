#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "frontend/ast/statement.h"
#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/diagnostics/role_diagnostics.h"
#include "frontend/check/names/scope_names.h"

namespace frontend::check {
namespace {

/// A net that is not used, or not called, is reported itself.
bool is_said_of_net(const Function& function) {
  return function.net != nullptr && (!function.net->used || function.syntax->name.text == "apply");
}

/// Returns whether a function of the net gives the state a next value. That stands outside of other blocks.
bool gives_next_value(const Net& net, std::string_view state) {
  const auto gives = [&](const ast::Statement& each) {
    return each.kind == ast::Statement::Kind::next && each.targets[0].name.text == state;
  };
  return std::ranges::any_of(net.syntax->functions, [&](const ast::Function& function) {
    return function.block != nullptr && std::ranges::any_of(function.block->statements, gives);
  });
}

void report_unused(const Net& net, dlvm::Diagnostics& diagnostics) {
  if (!net.scope->main) return;
  if (!net.used) return void(diagnostics.report(unused, net.syntax->name.location, "net", net.name()));
  for (const Net::Member& member : net.members)
    if (!member.used)
      diagnostics.report(unused, member.location,
                         member.declaration != nullptr ? ast::spelling(member.declaration->role) : "net",
                         net.name() + "." + member.name);
  for (const Net::Member& member : net.members)
    if (member.used && member.declaration != nullptr && member.declaration->role == ast::Role::state &&
        !gives_next_value(net, member.name))
      diagnostics.report(state_never_changes, member.location, net.name() + "." + member.name)
          .fix(
              fmt::format("give it a next value in a function, {}' = ..., or declare it const", member.name));
}

/// Returns whether an entry point returns the value.
bool is_returned(const Declaration& d) {
  return d.role() == ast::Role::out || d.role() == ast::Role::loss || d.role() == ast::Role::metric;
}

/// Returns whether it is the value that is declared, not one that a recurrent block makes of it.
bool is_written(const Declaration& d) {
  return d.part == Declaration::Part::none && d.syntax->role != ast::Role::out;
}

/// Returns whether it is a state that changes, the value that it takes, or one whose computation changes a
/// state.
bool is_carried(const Declaration& d) {
  return d.next != nullptr || d.state != nullptr || !d.body.changes.empty();
}

/// Returns whether the value is meant to be minimized by its name and its type, in a module that trains and
/// has no loss.
bool is_meant_as_loss(const Program& program, const Declaration& d) {
  const auto has = [&](ast::Role role) {
    return std::ranges::any_of(program.declarations,
                               [&](const Declaration& each) { return each.role() == role; });
  };
  return (d.name == "loss" || d.name == "Loss") && d.role() == ast::Role::hidden && d.type.shape.empty() &&
         has(ast::Role::param) && !has(ast::Role::loss);
}

void collect_names(const ast::Extent& extent, std::set<std::string_view>& names) {
  if (!extent.text.empty()) names.insert(extent.text);
  for (const ast::Extent& operand : extent.operands) collect_names(operand, names);
}

std::set<std::string_view> names_of_shape(const ast::Parameter& parameter) {
  std::set<std::string_view> names;
  if (parameter.type.shape)
    for (const ast::Extent& extent : parameter.type.shape->extents) collect_names(extent, names);
  return names;
}

/// Returns whether a dimension of the signature follows from this parameter alone.
bool gives_dimension(const Function& function, const ast::Parameter& parameter) {
  const auto own = names_of_shape(parameter);
  const auto is_elsewhere = [&](std::string_view name) {
    return std::ranges::any_of(function.syntax->parameters, [&](const ast::Parameter& other) {
      return &other != &parameter && names_of_shape(other).contains(name);
    });
  };
  const auto is_generic = [&](std::string_view name) {
    return name == function.rest || std::ranges::find(function.generic, name) != function.generic.end();
  };
  return std::ranges::any_of(own,
                             [&](std::string_view each) { return is_generic(each) && !is_elsewhere(each); });
}

void report_unused_parameters(const Function& function, dlvm::Diagnostics& diagnostics) {
  for (const ast::Parameter& parameter : function.syntax->parameters)
    if (parameter.is_value() && !function.used_parameters.contains(parameter.name.text) &&
        !gives_dimension(function, parameter))
      diagnostics.report(unused_parameter, parameter.name.location, parameter.name.text, function.name());
}

}  // namespace

void report_unused(const Program& program, dlvm::Diagnostics& diagnostics) {
  const Scope& main = program.main();
  bool compiled = false;
  for (const Declaration& d : program.declarations)
    compiled = compiled || (d.scope == &main && is_returned(d));
  if (!compiled) return;  // a library: others use it
  for (const Declaration& d : program.declarations)
    if (d.scope == &main && !d.used && !is_returned(d) && !is_carried(d) && d.pattern == nullptr &&
        is_written(d)) {
      if (is_meant_as_loss(program, d))
        diagnostics.report(loss_without_role, d.location, d.name)
            .fix(fmt::format("give it the role: {}: loss = ...", d.name));
      else
        diagnostics.report(unused, d.location, ast::spelling(d.tensors.empty() ? d.role() : d.syntax->role),
                           d.name);
    }
  for (const Declaration& d : program.declarations)
    if (d.scope == &main && d.is_state() && d.pattern == nullptr && d.structure == nullptr &&
        d.next == nullptr && d.used)
      diagnostics.report(state_never_changes, d.location, d.name)
          .fix(fmt::format("give it a next value, {}' = ..., or declare it const", d.name));
  for (const auto& [name, dimension] : main.dimensions)
    if (dimension.declared && !dimension.used) diagnostics.report(unused, dimension.location, "dim", name);
  for (const DeclaredType& type : program.types)
    if (type.scope == &main && !type.used)
      diagnostics.report(unused, type.syntax->name.location, ast::spelling(type.syntax->kind), type.name);
  for (const NetInstance& instance : program.net_instances)
    if (!instance.used) diagnostics.report(unused, instance.location, "net", instance.name);
  for (const Net& net : program.nets) report_unused(net, diagnostics);
  for (const Function& function : program.functions)
    if (function.scope == &main && !function.used && !is_said_of_net(function))
      diagnostics.report(unused, function.syntax->name.location, "func", function.name());
  for (const Function& function : program.functions)
    if (function.scope == &main && function.used && function.custom_gradient_of == nullptr)
      report_unused_parameters(function, diagnostics);
}

}  // namespace frontend::check
