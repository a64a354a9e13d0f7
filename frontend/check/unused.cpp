#include <fmt/format.h>

#include "frontend/check/name_diagnostics.h"
#include "frontend/check/scope_names.h"

namespace frontend::check {
namespace {

/// A net that is not used, or not called, is reported itself.
bool is_said_of_net(const Function& function) {
  return function.net != nullptr && (!function.net->used || function.syntax->name.text == "apply");
}

void report_unused(const Net& net, dlvm::Diagnostics& diagnostics) {
  if (!net.scope->main) return;
  if (!net.used) return void(diagnostics.report(unused, net.syntax->name.location, "net", net.name()));
  for (const Net::Member& member : net.members)
    if (!member.used)
      diagnostics.report(unused, member.location,
                         member.declaration != nullptr ? ast::spelling(member.declaration->role) : "net",
                         net.name() + "." + member.name);
}

}  // namespace

void report_unused(const Program& program, dlvm::Diagnostics& diagnostics) {
  const Scope& main = program.main();
  bool compiled = false;
  for (const Declaration& d : program.declarations)
    compiled = compiled || (d.scope == &main && (d.role() == ast::Role::out || d.role() == ast::Role::loss));
  if (!compiled) return;  // a library: others use it
  for (const Declaration& d : program.declarations) {
    const bool result = d.role() == ast::Role::out || d.role() == ast::Role::loss;
    if (d.scope == &main && !d.used && !result && d.pattern == nullptr)
      diagnostics.report(unused, d.location, ast::spelling(d.role()), d.name);
  }
  for (const auto& [name, dimension] : main.dimensions)
    if (dimension.declared && !dimension.used) diagnostics.report(unused, dimension.location, "dim", name);
  for (const NetInstance& instance : program.net_instances)
    if (!instance.used) diagnostics.report(unused, instance.location, "net", instance.name);
  for (const Net& net : program.nets) report_unused(net, diagnostics);
  for (const Function& function : program.functions)
    if (function.scope == &main && !function.used && !is_said_of_net(function))
      diagnostics.report(unused, function.syntax->name.location, "func", function.name());
}

}  // namespace frontend::check
