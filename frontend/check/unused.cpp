#include <fmt/format.h>

#include "frontend/check/name_diagnostics.h"
#include "frontend/check/scope_names.h"

namespace frontend::check {
namespace {

/// Returns whether an entry point returns the value.
bool is_returned(const Declaration& d) {
  return d.role() == ast::Role::out || d.role() == ast::Role::loss || d.role() == ast::Role::metric;
}

/// Returns whether it is a state that changes, or the value that it takes.
bool is_carried(const Declaration& d) { return d.next != nullptr || d.state != nullptr; }

}  // namespace

void report_unused(const Program& program, dlvm::Diagnostics& diagnostics) {
  const Scope& main = program.main();
  bool compiled = false;
  for (const Declaration& d : program.declarations)
    compiled = compiled || (d.scope == &main && is_returned(d));
  if (!compiled) return;  // a library: others use it
  for (const Declaration& d : program.declarations)
    if (d.scope == &main && !d.used && !is_returned(d) && !is_carried(d))
      diagnostics.report(unused, d.location, ast::spelling(d.role()), d.name);
  for (const Declaration& d : program.declarations)
    if (d.scope == &main && d.role() == ast::Role::state && d.next == nullptr && d.used)
      diagnostics.report(state_never_changes, d.location, d.name)
          .fix(fmt::format("give it a next value, {}' = ..., or declare it const", d.name));
  for (const auto& [name, dimension] : main.dimensions)
    if (dimension.declared && !dimension.used) diagnostics.report(unused, dimension.location, "dim", name);
  for (const Function& function : program.functions)
    if (function.scope == &main && !function.used)
      diagnostics.report(unused, function.syntax->name.location, "func", function.syntax->name.text);
}

}  // namespace frontend::check
